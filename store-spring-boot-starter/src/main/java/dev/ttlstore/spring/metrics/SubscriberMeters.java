package dev.ttlstore.spring.metrics;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import dev.ttlstore.expiry.ExpirySubscriber;
import dev.ttlstore.spring.metrics.StoreReadings.Reading;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Meters of expiry subscribers, which may appear while the application runs. Subscribers with the same name in
 * several scopes share their meters, because there may be a scope for each tenant. Thread-safe.
 */
final class SubscriberMeters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final StoreReadings readings;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    SubscriberMeters(MeterRegistry registry, Tags tags, StoreReadings readings) {
        this.registry = registry;
        this.tags = tags;
        this.readings = readings;
    }

    /** Registers the meters of a subscriber, unless they exist. */
    void require(ExpirySubscriber subscriber) {
        if (known.add(name(subscriber))) {
            register(name(subscriber));
        }
    }

    private void register(String name) {
        gauge("store.expiry.pending", "Expiries still to be handled", name, ExpirySubscriber::pending);
        gauge("store.expiry.dead.letters", "Dead letters", name, ExpirySubscriber::deadLetters);
        count("store.expiry.handled", "Expiries handled", name, ExpirySubscriber::handled);
        count("store.expiry.failures", "Failed attempts to handle an expiry", name, ExpirySubscriber::failures);
        count("store.expiry.dropped", "Expiries dropped for lack of a handler", name, ExpirySubscriber::dropped);
        TimeGauge.builder("store.expiry.lag", readings, MILLISECONDS, from -> from.of(reading -> lag(reading, name)))
                .description("Age of the oldest expiry still to be handled")
                .tags(tags(name))
                .register(registry);
    }

    private void gauge(String meter, String description, String name, ToLongFunction<ExpirySubscriber> value) {
        Gauge.builder(meter, readings, from -> from.of(reading -> sum(reading, name, value)))
                .description(description)
                .tags(tags(name))
                .register(registry);
    }

    private void count(String meter, String description, String name, ToLongFunction<ExpirySubscriber> value) {
        FunctionCounter.builder(meter, readings, from -> from.of(reading -> sum(reading, name, value)))
                .description(description)
                .tags(tags(name))
                .register(registry);
    }

    private Tags tags(String name) {
        return tags.and("subscriber", name);
    }

    /** Returns the name without the namespace. */
    private static String name(ExpirySubscriber subscriber) {
        return subscriber.name().substring(subscriber.name().indexOf(':') + 1);
    }

    private static Stream<ExpirySubscriber> named(Reading reading, String name) {
        return reading.subscribers().stream()
                .filter(subscriber -> name(subscriber).equals(name));
    }

    private static double sum(Reading reading, String name, ToLongFunction<ExpirySubscriber> value) {
        return named(reading, name).mapToLong(value).sum();
    }

    private static double lag(Reading reading, String name) {
        return named(reading, name)
                .map(ExpirySubscriber::oldest)
                .filter(Objects::nonNull)
                .mapToLong(oldest -> Math.max(0, reading.time() - oldest.toEpochMilli()))
                .max()
                .orElse(0);
    }
}
