package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingFilterBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

import dev.ttlstore.Store;
import dev.ttlstore.spring.idempotency.IdempotencyFilter;
import dev.ttlstore.spring.idempotency.IdempotencySettings;
import dev.ttlstore.spring.idempotency.RequestOwner;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;

import static dev.ttlstore.spring.autoconfigure.BuilderSettings.set;

/** Auto-configuration for requests that take effect once, in servlet applications. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.idempotency.enabled")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, OncePerRequestFilter.class})
@ConditionalOnBean(Store.class)
public final class StoreIdempotencyAutoConfiguration {

    private static final String SECTION = "store.idempotency.";

    /** After Spring Security's filters, of which the first has the order -100: they know whose request it is. */
    private static final int ORDER = -50;

    StoreIdempotencyAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingFilterBean(IdempotencyFilter.class)
    FilterRegistrationBean<IdempotencyFilter> ttlStoreIdempotencyFilter(
            Store store, StoreProperties properties, ObjectProvider<RequestOwner> owners) {
        RequestOwner owner = owners.getIfAvailable(RequestOwner::byLogin);
        IdempotencyFilter filter = new IdempotencyFilter(store, settings(properties.idempotency()), owner);
        FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }

    /** Returns the settings, each checked by itself, so that the exception names the property that is refused. */
    private static IdempotencySettings settings(StoreProperties.Idempotency given) {
        Duration valid = Duration.ofDays(1);
        set(SECTION + "ttl", given.ttl(), ttl -> new IdempotencySettings(ttl, valid, 0, List.of()));
        set(
                SECTION + "running-timeout",
                given.runningTimeout(),
                timeout -> new IdempotencySettings(valid, timeout, 0, List.of()));
        set(
                SECTION + "max-request-size",
                given.maxRequestSize(),
                size -> new IdempotencySettings(valid, valid, size.toBytes(), List.of()));
        given.requiredPaths().forEach(StoreIdempotencyAutoConfiguration::requirePattern);
        return new IdempotencySettings(
                given.ttl(), given.runningTimeout(), given.maxRequestSize().toBytes(), given.requiredPaths());
    }

    private static void requirePattern(String pattern) {
        if (!pattern.startsWith("/")) { // no path would match it
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + "required-paths", pattern, "it must begin with '/', as '/payments/**' does");
        }
        try {
            Object unused = PathPatternParser.defaultInstance.parse(pattern);
        } catch (PatternParseException e) {
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + "required-paths", pattern, "it must be a pattern of paths such as '/payments/**'", e);
        }
    }
}
