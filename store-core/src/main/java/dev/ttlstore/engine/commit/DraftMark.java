package dev.ttlstore.engine.commit;

/**
 * How far a transaction has come, for {@link TransactionDraft#undo}.
 *
 * @param changes how many rows it had changed, counting each change
 * @param events how many changes it had to tell
 * @param expired how many rows it had found expired
 * @since 0.1
 */
public record DraftMark(int changes, int events, int expired) {

    /** Before anything was decided. */
    public static final DraftMark START = new DraftMark(0, 0, 0);
}
