package dev.ttlstore.spring.security;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;

/** Matches applications with servlets, and those without a web server, such as tests of the same application. */
final class NotReactive extends NoneNestedConditions {

    NotReactive() {
        super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static final class Reactive {}
}
