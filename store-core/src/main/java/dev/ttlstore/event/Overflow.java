package dev.ttlstore.event;

/**
 * What a {@link Watch} does with a change if its buffer is full, because the reader is slower than the writers.
 *
 * @since 0.1
 * @see WatchOptions#withOverflow
 * @see WatchSignal.Gap
 */
public enum Overflow {

    /** Drops the oldest change in the buffer: the reader sees the latest changes. */
    DROP_OLDEST,

    /** Drops the new change: the reader sees all changes until the buffer was full. */
    DROP_NEWEST,

    /**
     * Replaces an earlier change of the same entry that is still in the buffer, whether or not the buffer is full. The
     * new change takes the position of its own sequence. The deletion of a group replaces an earlier deletion of that
     * group, and nothing else. If the buffer is full of changes to different entries, the oldest is dropped.
     *
     * <p>Use it for readers that want the current state rather than the history. They get the last change of each
     * entry, but not necessarily those before it. So an {@link EntryPut} may say that it did not create the entry,
     * although the reader never saw the creation. Replaced changes are {@linkplain Watch#conflated() counted}, but not
     * as dropped.
     */
    LATEST_PER_KEY
}
