package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

import dev.ttlstore.Group;
import dev.ttlstore.Scope;

/**
 * Reports how to inject a group or scope, if there is no bean for it. Runs before Boot's analyzer for missing beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingGroupFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        ResolvableType type = cause.getResolvableType();
        Class<?> wanted = type == null ? null : type.resolve();
        if (wanted == null || description == null) {
            return null;
        }
        if (wanted == Scope.class) {
            return analysis(
                    cause, description, "a scope", "namespace", "store.scopes.acme.quota.max-keys=0", "Scope acme");
        }
        return Group.class.isAssignableFrom(wanted)
                ? analysis(
                        cause,
                        description,
                        "a group",
                        "name",
                        "store.groups.acme.metrics=false",
                        (wanted == Group.class ? "Group<String>" : wanted.getSimpleName()) + " acme")
                : null;
    }

    private static FailureAnalysis analysis(
            Throwable cause, String place, String what, String name, String property, String parameter) {
        return new FailureAnalysis(
                place + " requires " + what + " that is not declared, or does not name one.",
                Guide.GROUPS.after("Declare " + what + " by any property under its " + name + ", such as " + property
                        + ", and inject it with its " + name + " as the qualifier: @Qualifier(\"acme\") " + parameter
                        + ". Or inject Store, and get " + what + " from it."),
                cause);
    }
}
