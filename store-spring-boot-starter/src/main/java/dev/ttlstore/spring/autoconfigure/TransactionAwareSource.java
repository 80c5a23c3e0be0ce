package dev.ttlstore.spring.autoconfigure;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/**
 * A data source that hands out the connection of a transaction of Spring. The store begins and commits its own transactions, and
 * would commit that one.
 */
final class TransactionAwareSource {

    private static final boolean IS_POSSIBLE = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            TransactionAwareSource.class.getClassLoader());

    private TransactionAwareSource() {}

    /** Returns the data source without such a proxy. */
    static DataSource without(DataSource source) {
        return IS_POSSIBLE ? Proxies.targetOf(source) : source;
    }

    /** Tests whether a data source is a wrapper of such a proxy. Only an outermost one can be {@linkplain #without left out}. */
    static boolean isHiddenIn(DataSource source) {
        return IS_POSSIBLE && Proxies.isHiddenIn(source);
    }

    /** Returns the data source that Spring's proxy for lazy connections takes them from. */
    static DataSource withoutLaziness(DataSource source) {
        return IS_POSSIBLE ? Proxies.eager(source) : source;
    }

    /** Loaded only if Spring's JDBC support is there. */
    private static final class Proxies {

        static DataSource eager(DataSource source) {
            DataSource target =
                    source instanceof LazyConnectionDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
            return target == null ? source : target;
        }

        static boolean isHiddenIn(DataSource source) {
            return RoutingSource.Wrappers.contain(targetOf(source), TransactionAwareDataSourceProxy.class);
        }

        static DataSource targetOf(DataSource source) {
            DataSource target =
                    source instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
            return target == null ? source : target;
        }
    }
}
