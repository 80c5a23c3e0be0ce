package dev.ttlstore.spring.idempotency;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingFilterBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for idempotent requests in servlet applications.
 *
 * @since 0.1
 * @see IdempotencyFilter
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.idempotency.enabled")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, OncePerRequestFilter.class})
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreIdempotencyProperties.class)
public final class StoreIdempotencyAutoConfiguration {

    private static final String SECTION = "store.idempotency.";

    private static final Duration DAY = Duration.ofDays(1);

    /** After Spring Security's filters, because they know whose request it is. The first of them has the order -100. */
    private static final int ORDER = -50;

    StoreIdempotencyAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingFilterBean(IdempotencyFilter.class)
    FilterRegistrationBean<IdempotencyFilter> ttlStoreIdempotencyFilter(
            Store store,
            StoreIdempotencyProperties properties,
            ObjectProvider<RequestOwner> owners,
            ObjectProvider<CorsConfigurationSource> origins) {
        RequestOwner owner = owners.getIfAvailable(RequestOwner::byLogin);
        // Asked for with the first request from another origin, because Spring MVC's needs the handlers.
        CorsConfigurationSource all = request -> origins.orderedStream()
                .map(source -> source.getCorsConfiguration(request))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        IdempotencyFilter filter = new IdempotencyFilter(store, settings(properties), owner, all);
        FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }

    /** Returns the settings, each checked by itself, so that the exception names the property that is refused. */
    private static IdempotencySettings settings(StoreIdempotencyProperties given) {
        set(SECTION + "ttl", given.ttl(), ttl -> valid(ttl, DAY, 0, 0, Set.of()));
        set(SECTION + "running-timeout", given.runningTimeout(), timeout -> valid(DAY, timeout, 0, 0, Set.of()));
        set(SECTION + "max-answer-size", given.maxAnswerSize(), size -> valid(DAY, DAY, size.toBytes(), 0, Set.of()));
        set(SECTION + "max-size", given.maxSize(), size -> valid(DAY, DAY, 0, size.toBytes(), Set.of()));
        set(SECTION + "max-owner-size", given.maxOwnerSize(), size -> valid(DAY, DAY, 0, size.toBytes(), Set.of()));
        set(
                SECTION + "max-anonymous-size",
                given.maxAnonymousSize(),
                size -> valid(DAY, DAY, 0, size.toBytes(), Set.of()));
        set(SECTION + "statuses", given.statuses(), statuses -> valid(DAY, DAY, 0, 0, statuses));
        given.paths().forEach(pattern -> requirePattern("paths", pattern));
        given.requiredPaths().forEach(pattern -> requirePattern("required-paths", pattern));
        return new IdempotencySettings(
                given.ttl(),
                given.runningTimeout(),
                given.maxAnswerSize().toBytes(),
                given.maxSize().toBytes(),
                given.maxOwnerSize().toBytes(),
                given.maxAnonymousSize().toBytes(),
                given.statuses(),
                given.paths(),
                given.requiredPaths());
    }

    private static IdempotencySettings valid(
            Duration ttl, Duration timeout, long maxAnswerSize, long maxSize, Set<Integer> statuses) {
        return new IdempotencySettings(
                ttl, timeout, maxAnswerSize, maxSize, maxSize, maxSize, statuses, List.of(), List.of());
    }

    private static void requirePattern(String property, String pattern) {
        if (!pattern.startsWith("/")) { // no path would match it
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + property, pattern, "it must begin with '/', as '/payments/**' does");
        }
        try {
            Object unused = PathPatternParser.defaultInstance.parse(pattern);
        } catch (PatternParseException e) {
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + property, pattern, "it must be a pattern of paths such as '/payments/**'", e);
        }
    }
}
