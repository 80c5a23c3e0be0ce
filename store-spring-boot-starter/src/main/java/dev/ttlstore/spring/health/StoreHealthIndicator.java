package dev.ttlstore.spring.health;

import java.util.List;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import dev.ttlstore.Store;
import dev.ttlstore.StoreStats;
import dev.ttlstore.expiry.ExpirySubscriber;

/**
 * Reads and writes a store once, and tells where it is and how much it holds: {@code path}, {@code engine}, {@code entries}
 * that live, and {@code expired} ones which the next purge removes. Where there are subscribers to expiries it tells how many
 * expiries are {@code pending} and how many have become {@code deadLetters}, which is no reason to be down. Never a key or a
 * value.
 */
public final class StoreHealthIndicator extends AbstractHealthIndicator {

    private final Store store;

    /**
     * Creates the indicator.
     *
     * @param store the store to look at
     */
    public StoreHealthIndicator(Store store) {
        super("The store cannot be read or written");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        store.check();
        StoreStats stats = store.stats();
        builder.up()
                .withDetail(
                        "path",
                        stats.path() == null ? "in memory" : stats.path().toString())
                .withDetail("engine", stats.engine())
                .withDetail("entries", stats.entries())
                .withDetail("expired", stats.expired());
        addExpiries(builder, store.expirySubscribers());
    }

    private static void addExpiries(Health.Builder builder, List<ExpirySubscriber> subscribers) {
        if (!subscribers.isEmpty()) {
            builder.withDetail(
                            "pending",
                            subscribers.stream()
                                    .mapToLong(ExpirySubscriber::pending)
                                    .sum())
                    .withDetail(
                            "deadLetters",
                            subscribers.stream()
                                    .mapToLong(ExpirySubscriber::deadLetters)
                                    .sum());
        }
    }
}
