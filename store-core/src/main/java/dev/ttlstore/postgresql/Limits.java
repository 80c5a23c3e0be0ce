package dev.ttlstore.postgresql;

import java.time.Duration;

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

    /** In one statement, which sets the limits before it locks. */
    private static final String SET_AND_LOCK = """
            SELECT c.*, s.slot FROM (%s) c CROSS JOIN @slot s WHERE s.slot = ? FOR UPDATE OF s
            """.formatted(SET);
    /**
     * Passes on what is set for a transaction to the servers that hold the slots, which wait and write there. Their own server
     * ends a transaction whose node says nothing.
     */
    private static final String PASS_ON = "SET LOCAL citus.propagate_set_commands TO 'local'";

    /** Adds the beginning of a transaction that writes. */
    Script begin(Script script) {
        if (script.isDistributed()) {
            // A distributed database cannot plan without parameters, and plans on its servers each time.
            return script.add(BEGIN)
                    .add(PASS_ON)
                    .add("SET LOCAL lock_timeout TO " + lock.toMillis())
                    .add("SET LOCAL synchronous_commit TO on")
                    .add(PAUSE, pause.toMillis() + "ms");
        }
        return script.add(BEGIN).add(SET, lock.toMillis() + "ms", pause.toMillis() + "ms", "on");
    }

    /** Adds the beginning of a transaction that writes, and the lock of a slot. */
    Script lock(Script script, int slot) {
        return script.add(BEGIN).add(SET_AND_LOCK, lock.toMillis() + "ms", pause.toMillis() + "ms", "on", slot);
    }
}
