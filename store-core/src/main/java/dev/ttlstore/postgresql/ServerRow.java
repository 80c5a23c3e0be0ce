package dev.ttlstore.postgresql;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Condition;

/** A row that a batch for the server names, and what the server has to do with it. Used by one thread. */
final class ServerRow {

    // How the function has these flags.
    private static final int LOADS = 1;
    private static final int KEEPS = 2;
    private static final int KEEPS_VALUE = 4;
    private static final int LOGS_RENEWAL = 8;
    private static final int RETURNS = 16;

    final int place;
    final int slot;

    /** Whether an answer needs its value. */
    boolean answers;

    /** Whether the log keeps what was found, in case the answer is lost; only beside changes. */
    boolean keeps;

    /** Whether a value that is too large for the log must stay where it is. */
    boolean keepsValue;

    /** Whether a renewal is logged, too, because it must not be made twice. */
    boolean logsRenewal;

    private boolean compares;
    private int conditions;

    /** With what it is compared by the only operation, which changes it if that is its value. */
    private byte @Nullable [] expected;

    ServerRow(int place, int slot) {
        this.place = place;
        this.slot = slot;
    }

    void uses(Condition condition, boolean changes) {
        conditions++;
        compares |= ServerBatch.comparesValue(condition);
        expected = conditions == 1 && changes ? condition.value() : null;
    }

    byte @Nullable [] expected() {
        return answers ? null : expected;
    }

    boolean isReturned() {
        return answers || (compares && expected == null);
    }

    int flags() {
        return (answers || compares ? LOADS : 0)
                | (keeps ? KEEPS : 0)
                | (keepsValue ? KEEPS_VALUE : 0)
                | (logsRenewal ? LOGS_RENEWAL : 0)
                | (isReturned() ? RETURNS : 0);
    }
}
