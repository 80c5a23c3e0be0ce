package dev.ttlstore.postgresql;

import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.transaction.ApplicationTransactions;

/**
 * The settings of the engine.
 *
 * @param source hands out connections
 * @param schema the name of the schema
 * @param initialize whether opening creates what is missing
 * @param kept for how long the log keeps changes
 * @param notifications whether this node listens to notifications
 * @param distribute whether new tables are distributed if the database can do that
 * @param timeouts how long the server lets transactions wait
 * @param intervals how often the node does what it does in the background
 * @param transactions tells which transaction of the application a thread is in; null if the store joins none
 */
record PostgreSqlSettings(
        DataSource source,
        String schema,
        boolean initialize,
        Duration kept,
        boolean notifications,
        boolean distribute,
        Timeouts timeouts,
        Intervals intervals,
        @Nullable ApplicationTransactions transactions) {

    /** Returns the default settings. */
    static PostgreSqlSettings of(DataSource source) {
        return new PostgreSqlSettings(
                source,
                "ttl_store",
                true,
                Duration.ofMinutes(5),
                true,
                true,
                Timeouts.DEFAULT,
                Intervals.DEFAULT,
                null);
    }

    PostgreSqlSettings withSchema(String name) {
        return new PostgreSqlSettings(
                source, name, initialize, kept, notifications, distribute, timeouts, intervals, transactions);
    }

    PostgreSqlSettings withInitialize(boolean create) {
        return new PostgreSqlSettings(
                source, schema, create, kept, notifications, distribute, timeouts, intervals, transactions);
    }

    PostgreSqlSettings withKept(Duration time) {
        return new PostgreSqlSettings(
                source, schema, initialize, time, notifications, distribute, timeouts, intervals, transactions);
    }

    PostgreSqlSettings withNotifications(boolean listen) {
        return new PostgreSqlSettings(
                source, schema, initialize, kept, listen, distribute, timeouts, intervals, transactions);
    }

    PostgreSqlSettings withDistribute(boolean bySlot) {
        return new PostgreSqlSettings(
                source, schema, initialize, kept, notifications, bySlot, timeouts, intervals, transactions);
    }

    PostgreSqlSettings withTimeouts(Timeouts others) {
        return new PostgreSqlSettings(
                source, schema, initialize, kept, notifications, distribute, others, intervals, transactions);
    }

    PostgreSqlSettings withIntervals(Intervals others) {
        return new PostgreSqlSettings(
                source, schema, initialize, kept, notifications, distribute, timeouts, others, transactions);
    }

    PostgreSqlSettings withTransactions(ApplicationTransactions current) {
        return new PostgreSqlSettings(
                source, schema, initialize, kept, notifications, distribute, timeouts, intervals, current);
    }
}
