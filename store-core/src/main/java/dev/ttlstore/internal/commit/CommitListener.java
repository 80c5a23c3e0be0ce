package dev.ttlstore.internal.commit;

/**
 * Receives each commit: those of this store in the thread that made them, one after the other, and what is known of those
 * of other processes in any thread. So an implementation is thread-safe, returns at once and does not write.
 */
@FunctionalInterface
public interface CommitListener {

    /** Ignores all commits. */
    CommitListener NONE = (now, earliestExpiry, recorded) -> {};

    /**
     * Handles a commit.
     *
     * @param now the time of the commit, by which it was decided
     * @param earliestExpiry the earliest expiry among the written rows; {@code Row.NEVER} if none of them expires
     * @param recorded whether the commit has recorded a delivery for a subscriber
     */
    void committed(long now, long earliestExpiry, boolean recorded);

    /** Handles that earlier commits may be missing, because the data has gone back in time. */
    default void lost() {}
}
