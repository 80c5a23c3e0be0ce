package dev.ttlstore.internal.commit;

/**
 * Receives each commit, in the thread that made it and under the writer's lock. So an implementation must return at
 * once and must not write.
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
}
