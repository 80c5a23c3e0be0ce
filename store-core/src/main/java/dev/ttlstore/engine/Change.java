package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * A change that a commit makes: an event of the store, or what processes that share their data need to know besides.
 *
 * @param kind what has happened
 * @param sequence the sequence number of the event; the version of the row for {@link Kind#SHORTENED}, which is no event
 * @param timestamp when it was committed, in milliseconds since the epoch
 * @param group the full group name
 * @param key the key within the group; empty if the whole group was deleted
 * @param version the version of the row; zero if the whole group was deleted
 * @param expiresAt when the row expires or has expired, in milliseconds since the epoch; {@link Row#NEVER} if it does not expire
 * @param entries how many live entries the group had, if it was deleted; how many rows there were, if they are not listed
 * @param row the row that was put; null for other changes, and for those that another process reports
 * @since 0.1
 */
public record Change(
        Kind kind,
        long sequence,
        long timestamp,
        String group,
        String key,
        long version,
        long expiresAt,
        long entries,
        @Nullable Row row) {

    /** What has happened. */
    public enum Kind {

        /** A row was put where there was no live one. */
        CREATED,

        /** A row was put over a live one. */
        REPLACED,

        /** A row was deleted. */
        DELETED,

        /** A row has expired and was removed. */
        EXPIRED,

        /** All rows of a group were deleted. */
        GROUP_DELETED,

        /** A row got an earlier expiry. That is no event, but caches must drop the row. */
        SHORTENED,

        /** Expired rows were removed that nobody has listed, because nobody asks for their events. One number stands for all of them. */
        UNLISTED
    }

    /**
     * Creates a change without a row.
     *
     * @param kind what has happened
     * @param sequence the sequence number of the event
     * @param timestamp when it was committed
     * @param group the full group name
     * @param key the key within the group
     * @param version the version of the row
     * @param expiresAt when the row expires or has expired
     * @param entries how many live entries the group had
     */
    public Change(
            Kind kind,
            long sequence,
            long timestamp,
            String group,
            String key,
            long version,
            long expiresAt,
            long entries) {
        this(kind, sequence, timestamp, group, key, version, expiresAt, entries, null);
    }

    /**
     * Describes a row that is put.
     *
     * @param row the row
     * @param created whether there was no live one
     * @param timestamp when it is committed, in milliseconds since the epoch
     * @return the change
     */
    public static Change put(Row row, boolean created, long timestamp) {
        return new Change(
                created ? Kind.CREATED : Kind.REPLACED,
                row.version(),
                timestamp,
                row.key().group(),
                row.key().key(),
                row.version(),
                row.expiresAt(),
                0,
                row);
    }

    /**
     * Replaces the row that was put, by one with another expiry or version.
     *
     * @param put the row
     * @return the change, whose number is the row's version
     */
    Change with(Row put) {
        return put(put, kind == Kind.CREATED, timestamp);
    }

    /**
     * Gives the change another number.
     *
     * @param number the number of the event
     * @param newVersion the version of the row
     * @return the change
     */
    Change numbered(long number, long newVersion) {
        return new Change(kind, number, timestamp, group, key, newVersion, expiresAt, entries, row);
    }

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "Change[kind=" + kind + ", sequence=" + sequence + ", group=" + group + "]";
    }
}
