package dev.ttlstore.event;

/** What a {@link Watch} does with a change for which its buffer has no room, its reader being slower than the writers. */
public enum Overflow {

    /** The oldest change in the buffer makes room and is missed: the reader sees the latest. */
    DROP_OLDEST,

    /** The change itself is missed: the reader sees all up to where the buffer was full. */
    DROP_NEWEST,

    /**
     * A change takes the place of an earlier one to the same entry that is still in the buffer, whether or not the buffer is
     * full; it comes in the order of its own sequence. The deletion of a group takes the place of an earlier deletion of
     * that group, and of nothing else. When the buffer is full of changes to different entries, the oldest is missed.
     *
     * <p>It suits a reader who looks at what is rather than at what happened: the last change to each entry is told, those
     * before it may not be. So an {@link EntryPut} may say that the entry was not created by it though the reader was not
     * told of its creation. What has been replaced is {@linkplain Watch#conflated() counted}, but not as missed.
     */
    LATEST_PER_KEY
}
