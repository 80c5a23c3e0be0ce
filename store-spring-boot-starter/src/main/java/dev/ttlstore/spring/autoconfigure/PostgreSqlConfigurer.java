package dev.ttlstore.spring.autoconfigure;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.autoconfigure.StoreProperties.PostgreSql.InitializeSchema;
import dev.ttlstore.spring.transaction.SpringTransactions;
import dev.ttlstore.transaction.ApplicationTransactions;

/** Applies properties to the shared engine. Not thread-safe. */
final class PostgreSqlConfigurer {

    private static final String SECTION = "store.postgresql.";

    private static final int DEFAULT_COMMITS = 4;

    /** What a pool needs beside the connections of commits. */
    private static final int OTHER_CONNECTIONS = 3;

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.ConnectionHolder", PostgreSqlConfigurer.class.getClassLoader());

    private PostgreSql engine;

    private PostgreSqlConfigurer(DataSource source) {
        this.engine = PostgreSql.on(source);
    }

    /**
     * Returns the engine on a data source. If it refuses a value, the exception names the property.
     *
     * @param source what it takes connections from
     * @param transactions in which it takes part; null for none
     */
    static PostgreSql engine(
            StoreProperties.PostgreSql properties, DataSource source, @Nullable ApplicationTransactions transactions) {
        PostgreSqlConfigurer settings = new PostgreSqlConfigurer(source);
        settings.apply(properties);
        settings.limitCommits(properties.commitsInFlight(), OwnConnections.size(source));
        return transactions == null ? settings.engine : settings.engine.joining(transactions);
    }

    /** Returns the transactions on a data source in which the store takes part; null for none. */
    static @Nullable ApplicationTransactions transactions(StoreProperties.PostgreSql properties, DataSource source) {
        return properties.joinTransactions() && HAS_TRANSACTIONS ? OfSpring.on(source) : null;
    }

    /** Loaded only if Spring's support of transactions and JDBC is there. */
    private static final class OfSpring {

        static ApplicationTransactions on(DataSource source) {
            return new SpringTransactions(source);
        }
    }

    private void apply(StoreProperties.PostgreSql properties) {
        engine = engine.initializeSchema(properties.initializeSchema() == InitializeSchema.ALWAYS)
                .notifications(properties.notifications())
                .distributed(properties.distributed());
        PropertyValue.set(SECTION + "schema", properties.schema(), name -> engine = engine.schema(name));
        PropertyValue.set(
                SECTION + "kept-changes", properties.keptChanges(), time -> engine = engine.keptChanges(time));
    }

    /** Leaves connections to readers, and to the threads that listen and follow. */
    private void limitCommits(@Nullable Integer commits, @Nullable Integer connections) {
        if (commits != null) {
            PropertyValue.set(SECTION + "commits-in-flight", commits, count -> engine = engine.commitsInFlight(count));
        } else if (connections != null && connections - OTHER_CONNECTIONS < DEFAULT_COMMITS) {
            engine = engine.commitsInFlight(Math.max(1, connections - OTHER_CONNECTIONS));
        }
    }
}
