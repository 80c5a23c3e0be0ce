package dev.ttlstore.spring.chatmemory;

import java.time.Duration;

import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring AI's chat memories in the store. It backs off if the application declares a
 * repository. It runs before that of Spring AI, which would keep the memories in the process.
 *
 * @since 0.1
 * @see StoreChatMemoryRepository
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        beforeName = "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration")
@ConditionalOnBooleanProperty("store.chat-memory.enabled")
@ConditionalOnClass(ChatMemoryRepository.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreChatMemoryProperties.class)
public final class StoreChatMemoryAutoConfiguration {

    StoreChatMemoryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(ChatMemoryRepository.class)
    StoreChatMemoryRepository ttlStoreChatMemoryRepository(Store store, StoreChatMemoryProperties properties) {
        Duration ttl = properties.ttl();
        set("store.chat-memory.ttl", ttl, valid -> new StoreChatMemoryRepository(store, valid));
        return new StoreChatMemoryRepository(store, ttl);
    }
}
