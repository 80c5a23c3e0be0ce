package dev.ttlstore.spring.autoconfigure;

import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.ShardingKeyDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

import com.zaxxer.hikari.HikariDataSource;

/**
 * A data source that chooses a database by the thread that asks, such as that of its tenant. A store cannot use one: whichever thread
 * commits does so for others too.
 */
final class RoutingSource {

    private static final Logger log = LoggerFactory.getLogger(RoutingSource.class);

    private static final boolean IS_POSSIBLE = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
            RoutingSource.class.getClassLoader());

    private RoutingSource() {}

    /** Tests whether a data source is one, or is a wrapper of one. */
    static boolean is(DataSource source) {
        return IS_POSSIBLE && (Spring.isRouting(source) || Spring.wrapsRouting(source));
    }

    /** Loaded only if Spring's JDBC support is there. */
    private static final class Spring {

        static boolean isRouting(DataSource source) {
            @Nullable DataSource inner = source;
            while (inner != null) {
                if (inner instanceof AbstractRoutingDataSource || inner instanceof ShardingKeyDataSourceAdapter) {
                    return true;
                }
                if (inner instanceof DelegatingDataSource wrapper) {
                    inner = wrapper.getTargetDataSource();
                } else {
                    inner = OwnConnections.HAS_HIKARI ? Hikari.sourceOf(inner) : null;
                }
            }
            return false;
        }

        /** Asks wrappers of others, such as pools and proxies that observe. */
        static boolean wrapsRouting(DataSource source) {
            try {
                return source.isWrapperFor(AbstractRoutingDataSource.class)
                        || source.isWrapperFor(ShardingKeyDataSourceAdapter.class);
            } catch (SQLException | RuntimeException e) {
                log.debug("The DataSource of the store does not tell what it wraps", e);
                return false;
            }
        }
    }

    /** Loaded only if Hikari is there. A pool that nobody has used yet does not tell what it wraps. */
    private static final class Hikari {

        static @Nullable DataSource sourceOf(DataSource source) {
            return source instanceof HikariDataSource pool ? pool.getDataSource() : null;
        }
    }
}
