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
record Limits(Duration lock, Duration pause, Duration outcome) {

    static final Limits DEFAULT = new Limits(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(30));

    /** Begins a transaction that writes. */
    static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

    /**
     * The plans of the store's statements do not depend on their parameters, so that they are made once for each connection. On a
     * table that was short when the plan was made, it must use the index all the same.
     */
    static final String PLANS =
            "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)";

    private static final String PAUSE = "SELECT set_config('idle_in_transaction_session_timeout', ?, true)";

    private static final String SET = """
            SELECT set_config('lock_timeout', ?, true), set_config('idle_in_transaction_session_timeout', ?, true),
                   set_config('synchronous_commit', ?, true), %s
            """.formatted(PLANS);

    /** What a transaction needs that comes as one text. The last one locks. */
    private static final String SET_AND_LOCK =
            "SELECT set_config('lock_timeout', ?, true), %s, pg_advisory_xact_lock({store}, ?)".formatted(PLANS);

    /**
     * Tests that a text that is a transaction of its own is what {@link #begin} would have made of it, and that the settings of
     * {@link #lock} still hold: a driver could send its statements one by one.
     */
    static final String IS_ONE = """
            current_setting('transaction_isolation') = 'read committed'
            AND current_setting('synchronous_commit') IN ('on', 'remote_apply') AND current_setting('enable_seqscan') = 'off'
            """;

    /**
     * Passes on what is set for a transaction to the servers that hold the slots, which wait and write there. Their own server
     * ends a transaction whose node says nothing.
     */
    private static final String PASS_ON = "SET LOCAL citus.propagate_set_commands TO 'local'";

    /** What {@link #SET} replaces, and a transaction of the application gets back. */
    private static final String SAVE =
            "SELECT current_setting('lock_timeout'), current_setting('plan_cache_mode'), current_setting('enable_seqscan')";

    private static final String RESTORE =
            "SELECT set_config('lock_timeout', ?, true), set_config('plan_cache_mode', ?, true),"
                    + " set_config('enable_seqscan', ?, true)";

    /** Returns the same limits, but with another time to wait for a slot. */
    Limits waiting(Duration forSlot) {
        return new Limits(forSlot, pause, outcome);
    }

    /** Adds the beginning of a transaction that writes. */
    Script begin(Script script) {
        return set(script.add(BEGIN));
    }

    /**
     * Adds the beginning of the store's writes to a transaction of the application. How long that may wait without a word stays set,
     * because it holds slots from now on.
     *
     * @param before gets what is to be {@linkplain #restore restored} after the writes
     */
    Script join(Script script, List<String> before) {
        return set(script.query(SAVE, row -> {
            for (int i = 1; i <= 3; i++) {
                before.add(row.getString(i));
            }
        }));
    }

    /** Adds the end of the store's writes to a transaction of the application. */
    Script restore(Script script, List<String> before) {
        return script.add(RESTORE, before.toArray());
    }

    private Script set(Script script) {
        if (script.isDistributed()) {
            // A distributed database cannot plan without parameters, and plans on its servers each time.
            return script.add(PASS_ON)
                    .add("SET LOCAL lock_timeout TO " + lock.toMillis())
                    .add("SET LOCAL synchronous_commit TO on")
                    .add(PAUSE, pause.toMillis() + "ms");
        }
        return script.add(SET, lock.toMillis() + "ms", pause.toMillis() + "ms", "on");
    }

    /** Adds how long the rest of a transaction, or of a savepoint, waits for a slot. */
    Script lockTimeout(Script script) {
        return script.isDistributed()
                ? script.add(PASS_ON).add("SET LOCAL lock_timeout TO " + lock.toMillis())
                : script.add("SELECT set_config('lock_timeout', ?, true)", lock.toMillis() + "ms");
    }

    /** Adds the lock of a slot to the beginning of a text that is a transaction of its own. */
    Script lock(Script script, int slot) {
        return script.add(SET_AND_LOCK, lock.toMillis() + "ms", slot);
    }
}
