package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.spring.json.JacksonCodecFactory;

import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of JSON values, with the application's own {@link JsonMapper} where it has one. */
@AutoConfiguration(afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass(JsonMapper.class)
public final class StoreJacksonAutoConfiguration {

    StoreJacksonAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(CodecFactory.class)
    JacksonCodecFactory ttlStoreJacksonCodecFactory(ObjectProvider<JsonMapper> mapper) {
        // Not the shared mapper: it lives as long as the process, and would keep the classes of each restart that it
        // has seen.
        return new JacksonCodecFactory(
                mapper.getIfUnique(() -> JsonMapper.builder().build()));
    }
}
