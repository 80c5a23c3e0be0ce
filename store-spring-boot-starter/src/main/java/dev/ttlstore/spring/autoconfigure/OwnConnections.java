package dev.ttlstore.spring.autoconfigure;

import java.io.Closeable;
import java.io.IOException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * Opens connections of the store's own to the database of the application's pool. Transactions can hold all
 * connections of that pool while they wait for the store, for example in a listener that runs after the commit. Not
 * thread-safe.
 *
 * @since 0.1
 * @see StoreDataSource
 */
public final class OwnConnections implements AutoCloseable {

    static final String PROPERTY = "store.postgresql.connections";

    /** Hikari's own default. They are opened when they are needed. */
    private static final int MOST_BY_DEFAULT = 10;

    /** One listens, one follows the commits of others, one commits, and a transaction of the store takes two. */
    private static final int LEAST = 5;

    static final boolean HAS_HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", OwnConnections.class.getClassLoader());

    private @Nullable Closeable own;

    OwnConnections() {}

    /**
     * Returns what to take connections from.
     *
     * @param source the data source of the application
     * @param shared whether the application itself uses the data source
     * @param number how many connections the store may have; zero for those of the data source, and null for the default
     * @return a pool that is closed with this object, or the data source, without a proxy for lazy connections
     */
    DataSource beside(DataSource source, boolean shared, @Nullable Integer number) {
        DataSource pool = TransactionAwareSource.withoutLaziness(source);
        boolean possible = HAS_HIKARI && Hikari.isPlain(pool);
        if (number == null) {
            return shared && possible ? open(pool, Hikari.defaultSize(pool)) : pool;
        }
        if (number == 0) {
            return pool; // lazily a connection would be that of the replica, if the thread's transaction only reads
        }
        if (number < LEAST) {
            throw new InvalidConfigurationPropertyValueException(
                    PROPERTY, number, "the store needs at least " + LEAST + ", or 0 to use those of the DataSource");
        }
        if (!possible) {
            throw new InvalidConfigurationPropertyValueException(
                    PROPERTY,
                    number,
                    "only a DataSource that is a HikariDataSource, not a subclass or a wrapper, can be copied for connections of the"
                            + " store's own; remove the property, and mark another DataSource with @StoreDataSource instead");
        }
        return open(pool, number);
    }

    /** Returns how many connections a pool has at most; null if it does not tell. */
    static @Nullable Integer size(DataSource source) {
        return HAS_HIKARI ? Hikari.size(source) : null;
    }

    private DataSource open(DataSource source, int number) {
        DataSource copy = Hikari.copy(source, number);
        own = (Closeable) copy;
        return copy;
    }

    /**
     * Has the pool, if there is one, publish the meters that Spring Boot has the application's pool publish.
     *
     * @param registry the registry of the application
     */
    public void publishMeters(MeterRegistry registry) {
        if (own != null) {
            Hikari.publishMeters(own, registry);
        }
    }

    @Override
    public void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }

    /** Loaded only if Hikari is there. */
    private static final class Hikari {

        /** A subclass or a wrapper may do more than a copy of its settings would, such as renew a password. */
        static boolean isPlain(DataSource source) {
            return source.getClass() == HikariDataSource.class;
        }

        static @Nullable Integer size(DataSource source) {
            int size = source instanceof HikariDataSource pool ? pool.getMaximumPoolSize() : 0;
            return size > 0 ? size : null;
        }

        /** As many as the application's pool has, within limits: a small pool may be for a server that allows few. */
        static int defaultSize(DataSource source) {
            int size = ((HikariDataSource) source).getMaximumPoolSize(); // negative if it is not set
            return size < 0 ? MOST_BY_DEFAULT : Math.min(MOST_BY_DEFAULT, Math.max(LEAST, size));
        }

        static DataSource copy(DataSource source, int number) {
            HikariDataSource copy = new HikariDataSource();
            HikariDataSource original = (HikariDataSource) source;
            original.copyStateTo(copy);
            String name = original.getPoolName();
            copy.setPoolName(name == null ? "ttl-store" : name + "-ttl-store");
            copy.setMaximumPoolSize(number);
            copy.setMinimumIdle(original.getMinimumIdle() == 0 ? 0 : 1);
            copy.setLeakDetectionThreshold(0); // one connection listens for as long as the store is open
            return copy;
        }

        static void publishMeters(Object pool, MeterRegistry registry) {
            HikariDataSource source = (HikariDataSource) pool;
            if (source.getMetricRegistry() == null && source.getMetricsTrackerFactory() == null) {
                source.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
            }
        }
    }
}
