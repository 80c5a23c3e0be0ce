package dev.ttlstore.internal.commit;

/** Learns of commits, in the thread that has made them, under the writer's lock. So it returns at once, and never writes. */
@FunctionalInterface
public interface CommitListener {

    /** Learns of nothing. */
    CommitListener NONE = (now, earliestExpiry, expired) -> {};

    /**
     * A commit has been made.
     *
     * @param now the time by which it was decided
     * @param earliestExpiry the earliest expiry among what it has written; {@code Row.NEVER} if nothing of it expires
     * @param expired whether it has removed expired entries
     */
    void committed(long now, long earliestExpiry, boolean expired);
}
