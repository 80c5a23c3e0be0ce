package dev.ttlstore.sample.web;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** Takes only texts for texts. Jackson would also take {@code true} and {@code 7}, which a sender never means as a secret. */
@Configuration(proxyBeanMethods = false)
class TextOnly {

    @Bean
    JsonMapperBuilderCustomizer noTextFromOtherValues() {
        return mapper -> mapper.withCoercionConfig(
                LogicalType.Textual, textual -> textual.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail));
    }
}
