package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.List;

/**
 * How long the server lets a transaction of the store wait, whatever the role's own settings are, and how long the store waits
 * for the server.
 *
 * @param lock how long a transaction waits for a slot
 * @param pause how long a node may keep a transaction open without a word. Then the server ends it, or a stopped process would
 *     block its slots for all others
 * @param outcome how long this node tries to find out whether a commit was made whose answer was lost
 */
record Timeouts(Duration lock, Duration pause, Duration outcome) {

    static final Timeouts DEFAULT =
            new Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(30));

    /** How much longer a node may work without a word for each row of a commit: ten times what a slow one takes. */
    private static final long NANOS_PER_ROW = 200_000;

    /** The same for each byte of the values, which are also sent: a megabyte in a second. */
    private static final long NANOS_PER_BYTE = 1_000;

    /** Begins a transaction that writes. */
    static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

    private static final String PAUSE = "SELECT set_config('idle_in_transaction_session_timeout', ?::text, true)";

    /** The limit of a transaction as it is set now; null on a server before PostgreSQL 17, which has none. */
    private static final String BOUND = "current_setting('transaction_timeout', true)";

    /** Removes the limit of the transaction if it compares with ours in some way. Setting it again starts it again. */
    private static final String UNBIND =
            "CASE WHEN " + BOUND + "::interval %s ?::interval THEN set_config('transaction_timeout', '0', true) END";

    /** Limits a transaction that has no limit. One of the role or of the application stays. */
    private static final String BIND =
            "CASE " + BOUND + " WHEN '0' THEN set_config('transaction_timeout', ?::text, true) END";

    /** Limits a transaction of the store, unless the limit of the role is stricter. */
    private static final String BIND_OWN = UNBIND.formatted(">") + ", " + BIND;

    private static final String UNBOUND = "SELECT " + UNBIND.formatted("=");

    private static final String AGAIN = UNBOUND + ", " + BIND;

    /**
     * The setting of {@code synchronous_commit} with which a commit waits for more than others: for the standbys to show it. A role
     * keeps it, and all others become {@code on}, because what has been written must be on the disk.
     */
    private static final String STRICTEST = "remote_apply";

    /** What {@code synchronous_commit} becomes, by what it is. */
    static final String DURABILITY =
            "CASE current_setting('synchronous_commit') WHEN '%1$s' THEN '%1$s' ELSE 'on' END".formatted(STRICTEST);

    /** Takes effect for the commit of a text too, because it holds until after that. */
    private static final String DURABLE = "set_config('synchronous_commit', %s, true)".formatted(DURABILITY);

    private static final String SET = """
            SELECT set_config('lock_timeout', ?::text, true), set_config('idle_in_transaction_session_timeout', ?::text, true), %s, %s, %%s
            """.formatted(DURABLE, PlanSettings.SET);

    private static final String SET_OWN = SET.formatted(BIND_OWN);

    private static final String SET_JOINED = SET.formatted(BIND);

    private static final String LOCK_TIMEOUT = "SELECT set_config('lock_timeout', ?::text, true)";

    /** How many pauses a text may take. */
    private static final int PAUSES_OF_A_TEXT = 6;

    /**
     * Passes on what is set for a transaction to the servers that hold the slots, which wait and write there. Their own server
     * ends a transaction whose node says nothing.
     */
    private static final String PASS_ON = "SET LOCAL citus.propagate_set_commands TO 'local'";

    /** What {@link #SET} replaces, and a transaction of the application gets back. */
    private static final String SAVE =
            "SELECT coalesce(%s, ''), current_setting('lock_timeout'), %s".formatted(BOUND, PlanSettings.SAVE);

    private static final String RESTORE =
            "SELECT CASE ?::text WHEN '0' THEN set_config('transaction_timeout', '0', true) END,"
                    + " set_config('lock_timeout', ?::text, true), "
                    + PlanSettings.RESTORE;

    /** Returns the same limits, but with another time to wait for a slot. */
    Timeouts waiting(Duration forSlot) {
        return new Timeouts(forSlot, pause, outcome);
    }

    /**
     * Returns how long the server may take for a text of a transaction, from its first statement until its last one has arrived and
     * has run. A node whose text stops half-way would block its slots for all others: the server waits for the rest of a message
     * in the middle of a statement, where no other limit of it counts. A server before PostgreSQL 17 has no limit for that.
     */
    Duration text() {
        return pause.multipliedBy(PAUSES_OF_A_TEXT);
    }

    /** Returns the limit of {@link #text} as a setting. */
    String bound() {
        return millis(text());
    }

    /** Returns the limit of the wait for a slot as a setting. */
    String lockText() {
        return millis(lock);
    }

    private static String millis(Duration time) {
        return time.toMillis() + "ms";
    }

    /** Adds the beginning of a transaction that writes. */
    Script begin(Script script) {
        script.add(BEGIN);
        return script.isDistributed()
                ? setDistributed(script).add("SELECT " + BIND_OWN, bound(), bound())
                : script.add(SET_OWN, millis(lock), millis(pause), bound(), bound());
    }

    /** Lets a transaction that goes on for long have the time of a {@linkplain #text text} from now on. */
    Script again(Script script) {
        return again(script, this);
    }

    /** Sets these limits for the rest of a transaction that was begun with others. */
    Script replace(Script script, Timeouts others) {
        return again(script, others).add(PAUSE, millis(pause));
    }

    private Script again(Script script, Timeouts before) {
        return script.add(AGAIN, before.bound(), bound());
    }

    /** Lets the next statements take their time, until {@link #again} is added. */
    Script unbound(Script script) {
        return script.add(UNBOUND, bound());
    }

    /**
     * Adds the beginning of the store's writes to a transaction of the application. How long that may wait without a word stays set,
     * because it holds slots from now on. A limit that the application has set for the whole transaction stays.
     *
     * @param before gets what is to be {@linkplain #restore restored} after the writes
     */
    Script join(Script script, List<String> before) {
        script.query(SAVE, row -> {
            int columns = row.getMetaData().getColumnCount();
            for (int i = 1; i <= columns; i++) {
                before.add(row.getString(i));
            }
        });
        return script.isDistributed()
                ? setDistributed(script).add("SELECT " + BIND, bound())
                : script.add(SET_JOINED, millis(lock), millis(pause), bound());
    }

    /** Adds the end of the store's writes to a transaction of the application. */
    Script restore(Script script, List<String> before) {
        return script.add(RESTORE, before.toArray());
    }

    /** Sets what others set in one statement. A distributed database cannot plan it without parameters, and plans on its servers each time. */
    private Script setDistributed(Script script) {
        return script.add(PASS_ON)
                .add("SET LOCAL lock_timeout TO " + lock.toMillis())
                .add("SET LOCAL synchronous_commit TO {durability}")
                .add(PAUSE, millis(pause));
    }

    /** Returns the limits of a node that works on rows with so many bytes. */
    Timeouts workingOn(long rows, long bytes) {
        return new Timeouts(lock, pause.plusNanos(rows * NANOS_PER_ROW + bytes * NANOS_PER_BYTE), outcome);
    }

    /** Adds how long the rest of a transaction, or of a savepoint, waits for a slot. */
    Script lockTimeout(Script script) {
        return script.isDistributed()
                ? script.add(PASS_ON).add("SET LOCAL lock_timeout TO " + lock.toMillis())
                : script.add(LOCK_TIMEOUT, millis(lock));
    }
}
