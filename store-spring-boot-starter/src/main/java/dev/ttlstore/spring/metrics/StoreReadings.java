package dev.ttlstore.spring.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.StoreActivity;
import dev.ttlstore.StoreStats;
import dev.ttlstore.Usage;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpirySubscriber;

import io.micrometer.core.instrument.Clock;

/**
 * The readings behind the meters of one registry. Readings whose cost grows with the size of the store are taken at
 * most every ten seconds, for all meters together. Thread-safe.
 */
final class StoreReadings {

    private static final Logger log = LoggerFactory.getLogger(StoreReadings.class);

    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Store store;
    private final List<String> scopes;
    private final Clock clock;
    private volatile Consumer<ExpirySubscriber> onSubscriber = subscriber -> {};
    private volatile StoreActivity lastActivity;

    private volatile Consumer<SharedStats> onShared = shared -> {};

    // Guarded by this.
    private @Nullable Reading last;
    private long lastAt;

    /** A reading at a time in milliseconds since the epoch. */
    record Reading(long time, StoreStats stats, List<ExpirySubscriber> subscribers, Map<String, Usage> usages) {

        Usage usage(String scope) {
            return usages.getOrDefault(scope, new Usage(0, 0, 0));
        }
    }

    StoreReadings(Store store, Collection<String> scopes, Clock clock) {
        this.store = store;
        this.scopes = List.copyOf(scopes);
        this.clock = clock;
        this.lastActivity = store.activity();
        this.lastAt = clock.monotonicTime() - PAUSE_NANOS;
    }

    /** Registers a callback for expiry subscribers. Calls it now for those that exist, and again at each reading. */
    void onSubscriber(Consumer<ExpirySubscriber> callback) {
        onSubscriber = callback;
        findSubscribers();
    }

    /** Registers a callback for a store in a database that instances share. It is called at each reading. */
    void onShared(Consumer<SharedStats> callback) {
        onShared = callback;
    }

    /** Calls the callback for the subscribers that exist now. */
    void findSubscribers() {
        store.expirySubscribers().forEach(onSubscriber);
    }

    /** Returns the store's activity, or the last known activity if the store is closed. */
    StoreActivity activity() {
        try {
            lastActivity = store.activity();
        } catch (StoreClosedException e) {
            log.trace("A registry reads the activity of a closed store", e);
        }
        return lastActivity;
    }

    /** Returns a number from the current reading, or NaN if the store cannot be read. */
    double of(ToDoubleFunction<Reading> value) {
        Reading reading = reading();
        return reading == null ? Double.NaN : value.applyAsDouble(reading);
    }

    /** Returns a number from the current reading of a shared database, or NaN if it cannot be read. */
    double ofShared(ToDoubleFunction<SharedStats> value) {
        return of(reading -> {
            SharedStats shared = reading.stats().shared();
            return shared == null ? Double.NaN : value.applyAsDouble(shared);
        });
    }

    private synchronized @Nullable Reading reading() {
        long now = clock.monotonicTime();
        if (now - lastAt >= PAUSE_NANOS) {
            lastAt = now;
            last = read();
        }
        return last;
    }

    private @Nullable Reading read() {
        try {
            Map<String, Usage> usages = new HashMap<>();
            scopes.forEach(scope -> usages.put(scope, store.scope(scope).usage()));
            List<ExpirySubscriber> subscribers = store.expirySubscribers();
            subscribers.forEach(onSubscriber);
            StoreStats stats = store.stats();
            SharedStats shared = stats.shared();
            if (shared != null) {
                onShared.accept(shared);
            }
            return new Reading(clock.wallTime(), stats, subscribers, usages);
        } catch (StoreException e) {
            log.debug("The store cannot be measured now", e); // its health reports this, too
            return null;
        }
    }
}
