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

    /** When a node looks at the log for commits of others, and when it notifies others of its own. They are changed before anybody else gets it. */
    static final class Intervals {

        /** The pause between two looks while nobody notifies this node, and for a while after a notification. */
        Duration look = Duration.ofMillis(20);

        /** The pause between two looks while this node is notified; in case a notification is lost. */
        Duration net = Duration.ofMillis(500);

        /** For how long a node goes on looking after a notification. */
        Duration hold = Duration.ofMillis(100);

        /**
         * The shortest time between two notifications of a node; shorter than {@link #hold}, so that nodes look all the time while another one
         * commits all the time.
         */
        Duration gap = Duration.ofMillis(50);

        /** For how long a node that has registered goes on looking, because the others do not know of it yet. */
        Duration known = Duration.ofSeconds(5);

        /** The age at which a node no longer relies on what it has read about other nodes; less than {@link #known}. */
        Duration stale = Duration.ofSeconds(3);

        /** The pause between two tests whether notifications arrive. */
        Duration test = Duration.ofSeconds(10);

        /** How long a notification of a test may take. */
        Duration patience = Duration.ofSeconds(5);

        /** The pause after which a node that hears nothing tries again. */
        Duration again = Duration.ofMinutes(1);
    }
}
