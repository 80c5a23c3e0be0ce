package dev.ttlstore.spring.messagestore;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.integration.store.MessageGroupStore;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.autoconfigure.ApplicationClasses;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.values.SpringValues;

/**
 * Auto-configuration for Spring Integration's messages in the store. It backs off if the application declares a store of
 * message groups.
 *
 * @since 0.1
 * @see StoreMessageStore
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.message-store.enabled")
@ConditionalOnClass(MessageGroupStore.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreMessageStoreProperties.class)
public final class StoreMessageStoreAutoConfiguration {

    private static final String ALLOWED = "store.message-store.allowed-classes";

    StoreMessageStoreAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(MessageGroupStore.class)
    StoreMessageStore ttlStoreMessageStore(
            Store store, StoreMessageStoreProperties properties, BeanFactory beans, ResourceLoader loader) {
        List<String> always = Stream.of(SpringValues.ANYWHERE, SpringValues.OF_MESSAGING)
                .flatMap(List::stream)
                .toList();
        return new StoreMessageStore(
                store,
                new JavaCodec(
                        ApplicationClasses.allowed(ALLOWED, properties.allowedClasses(), always, beans),
                        ALLOWED,
                        loader.getClassLoader()));
    }
}
