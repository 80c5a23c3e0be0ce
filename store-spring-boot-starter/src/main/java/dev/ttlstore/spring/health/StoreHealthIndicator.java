package dev.ttlstore.spring.health;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import dev.ttlstore.Store;
import dev.ttlstore.StoreStats;

/**
 * Reads and writes a store once, and tells where it is and how much it holds: {@code path}, {@code engine}, {@code entries}
 * that live, and {@code expired} ones which the next purge removes. Never a key or a value.
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
    }
}
