package dev.ttlstore.postgresql;

import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.transaction.ApplicationTransactions;

/** The settings of the engine. They are changed in a copy only, before anybody else gets it. */
final class PostgreSqlSettings implements Cloneable {

    /** Hands out connections. */
    final DataSource source;

    String schema = "ttl_store";

    /** Whether opening creates what is missing. */
    boolean initialize = true;

    /** For how long the log keeps changes. */
    Duration kept = Duration.ofMinutes(5);

    /** Whether this node listens to notifications. */
    boolean notifications = true;

    /** Whether new tables are distributed if the database can do that. */
    boolean distribute = true;

    /** How many commits may be under way at the same time. */
    int commits = 4;

    /** How much longer the server takes to decide an operation than this node, in nanoseconds. */
    long decisionNanos = 7_000;

    /** How long the server lets transactions wait. */
    Timeouts timeouts = Timeouts.DEFAULT;

    /** How often the node does what it does in the background. */
    Intervals intervals = new Intervals();

    /** Tells which transaction of the application a thread is in; null if the store joins none. */
    @Nullable
    ApplicationTransactions transactions;

    PostgreSqlSettings(DataSource source) {
        this.source = source;
    }

    /** Returns a copy, for a change. */
    PostgreSqlSettings copy() {
        try {
            return (PostgreSqlSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }
}
