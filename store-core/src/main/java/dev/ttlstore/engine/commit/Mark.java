package dev.ttlstore.engine.commit;

/**
 * How far a transaction has come, for {@link TransactionDraft#undo}.
 *
 * @param changes how many rows it had changed, counting each change
 * @param events how many changes it had to tell
 * @param expired how many rows it had found expired
 */
public record Mark(int changes, int events, int expired) {

    /** Before anything was decided. */
    public static final Mark START = new Mark(0, 0, 0);
}
