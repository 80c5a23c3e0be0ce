package dev.ttlstore.sample.web;

import java.util.Map;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/**
 * Takes fields as they are meant, or not at all. Jackson would also take {@code true} for a text and {@code 1.9} for a
 * number, and ignore a misspelt field: the sender of a {@code passPhrase} would believe that the secret has one.
 */
@Configuration(proxyBeanMethods = false)
class StrictJson {

    private static final Map<LogicalType, CoercionInputShape[]> REFUSED = Map.of(
            LogicalType.Textual,
                    new CoercionInputShape[] {
                        CoercionInputShape.Boolean, CoercionInputShape.Integer, CoercionInputShape.Float
                    },
            LogicalType.Integer,
                    new CoercionInputShape[] {
                        CoercionInputShape.Float, CoercionInputShape.String, CoercionInputShape.EmptyString
                    },
            LogicalType.Boolean,
                    new CoercionInputShape[] {
                        CoercionInputShape.Integer, CoercionInputShape.String, CoercionInputShape.EmptyString
                    });

    @Bean
    JsonMapperBuilderCustomizer strict() {
        return mapper -> {
            mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
            REFUSED.forEach((type, shapes) -> mapper.withCoercionConfig(type, config -> {
                for (CoercionInputShape shape : shapes) {
                    config.setCoercion(shape, CoercionAction.Fail);
                }
            }));
        };
    }
}
