package dev.ttlstore.spring.expiry;

import java.time.Duration;
import java.util.function.Function;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.thread.Threading;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;

import dev.ttlstore.StoreBuilder;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.spring.autoconfigure.PropertyValue;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;

/** Applies the properties of expiry handling to the store. Runs before other customizers, so that they can override it. */
final class ExpiryCustomizer implements StoreBuilderCustomizer, PriorityOrdered {

    private final StoreExpiryProperties properties;
    private final Environment environment;

    /** Takes the environment, in which {@code spring.threads.virtual.enabled} selects the threads of handlers. */
    ExpiryCustomizer(StoreExpiryProperties properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void customize(StoreBuilder builder) {
        builder.expiry(settings().withVirtualThreads(Threading.VIRTUAL.isActive(environment)));
        builder.expiryOnTime(properties.onTime());
    }

    private ExpirySettings settings() {
        ExpirySettings settings = ExpirySettings.defaults();
        settings = with("concurrency", properties.concurrency(), settings::withConcurrency);
        settings = with("max-attempts", properties.maxAttempts(), settings::withMaxAttempts);
        // Each delay by itself, so that the exception names the property that is refused.
        Duration first = properties.firstDelay();
        Duration longest = properties.maxDelay();
        ExpirySettings before = settings;
        ExpirySettings unused = with("first-delay", first, delay -> before.withDelays(delay, delay));
        if (first.compareTo(longest) > 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.expiry.first-delay",
                    first,
                    "it must be at most 'store.expiry.max-delay', which is " + longest);
        }
        settings = with("max-delay", longest, delay -> before.withDelays(first, delay));
        settings = with("timeout", properties.timeout(), settings::withTimeout);
        return with("max-backlog", properties.maxBacklog(), settings::withMaxBacklog);
    }

    private static <T> ExpirySettings with(String name, T value, Function<T, ExpirySettings> change) {
        return PropertyValue.apply("store.expiry." + name, value, change);
    }
}
