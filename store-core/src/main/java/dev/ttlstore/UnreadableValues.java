package dev.ttlstore;

/** What reads do with a value that the group's codec cannot read, as after an incompatible change of its class. */
public enum UnreadableValues {

    /** They throw {@link CodecException}. */
    FAIL,

    /**
     * They answer as if there were no entry, and count it in {@link StoreActivity#unreadable()}. What does not look at values
     * ({@code contains}, {@code count}, {@code keys}, {@code putIfAbsent}) still finds the entry, and it can be overwritten and
     * deleted; {@code increment} throws.
     */
    ABSENT
}
