package dev.ttlstore.spring.json;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.CodecFactory;

import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration for JSON values. Stored values outlive the settings of the web layer, so the store has a mapper
 * of its own. An application replaces it with a bean that has the qualifier {@link StoreJson}.
 *
 * @since 0.1
 * @see StoreJson
 * @see JacksonCodecFactory
 */
@AutoConfiguration
@ConditionalOnClass(JsonMapper.class)
public final class StoreJacksonAutoConfiguration {

    StoreJacksonAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(CodecFactory.class)
    JacksonCodecFactory ttlStoreJacksonCodecFactory(@StoreJson ObjectProvider<JsonMapper> mapper) {
        // Not Jackson's shared mapper: it lives as long as the process, and would keep the classes of each restart.
        return new JacksonCodecFactory(
                mapper.getIfAvailable(() -> JacksonCodecFactory.defaults().build()));
    }
}
