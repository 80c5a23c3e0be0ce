package dev.ttlstore.spring.autoconfigure;

import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

import com.zaxxer.hikari.HikariDataSource;

/**
 * A data source that chooses a database by the calling thread, for example by its tenant or its user. A store cannot use one, because
 * any thread may commit for others.
 */
final class RoutingSource {

    private static final Logger log = LoggerFactory.getLogger(RoutingSource.class);

    private static final boolean IS_POSSIBLE = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
            RoutingSource.class.getClassLoader());

    private RoutingSource() {}

    /** Tests whether a data source is one, or is a wrapper of one. */
    static boolean is(DataSource source) {
        return IS_POSSIBLE && Spring.isRouting(source);
    }

    /** Loaded only if Spring's JDBC support is there. */
    private static final class Spring {

        static boolean isRouting(DataSource source) {
            return Wrappers.contain(source, AbstractRoutingDataSource.class)
                    || Wrappers.contain(source, ShardingKeyDataSourceAdapter.class)
                    || Wrappers.contain(source, UserCredentialsDataSourceAdapter.class);
        }
    }

    /** Looks into data sources that wrap others. Loaded only if Spring's JDBC support is there. */
    static final class Wrappers {

        /** Tests whether a data source is of a type, or wraps one that is. */
        static boolean contain(DataSource source, Class<? extends DataSource> type) {
            @Nullable DataSource inner = source;
            while (inner != null) {
                if (unwrapped(inner, type) != null) {
                    return true;
                }
                inner = within(inner);
            }
            return false;
        }

        /** Returns what a data source takes connections from; null if it does not tell. */
        private static @Nullable DataSource within(DataSource source) {
            DelegatingDataSource wrapper = unwrapped(source, DelegatingDataSource.class);
            if (wrapper != null) {
                return wrapper.getTargetDataSource();
            }
            return OwnConnections.HAS_HIKARI ? Hikari.sourceIn(source) : null;
        }

        /** Asks wrappers of others, such as pools and proxies that observe. Returns null if there is none of a type. */
        private static <T extends DataSource> @Nullable T unwrapped(DataSource source, Class<T> type) {
            try {
                if (type.isInstance(source)) {
                    return type.cast(source);
                }
                return source.isWrapperFor(type) ? source.unwrap(type) : null;
            } catch (SQLException | RuntimeException e) {
                log.debug("The DataSource of the store does not tell what it wraps", e);
                return null;
            }
        }
    }

    /** Loaded only if Hikari is there. A pool that nobody has used yet does not tell what it wraps. */
    private static final class Hikari {

        static @Nullable DataSource sourceIn(DataSource source) {
            HikariDataSource pool = Wrappers.unwrapped(source, HikariDataSource.class);
            return pool == null ? null : pool.getDataSource();
        }
    }
}
