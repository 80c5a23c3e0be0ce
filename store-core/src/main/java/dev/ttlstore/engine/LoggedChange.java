package dev.ttlstore.engine;

/**
 * A committed change, as processes that share their data report it to each other. It has no value.
 *
 * @param kind what has happened
 * @param sequence the sequence number of the event; the version of the row for {@link Kind#SHORTENED}, which is no event
 * @param timestamp when it was committed, in milliseconds since the epoch
 * @param group the full group name
 * @param key the key within the group; empty if the whole group was deleted
 * @param version the version of the row; zero if the whole group was deleted
 * @param expiresAt when the row expires or has expired, in milliseconds since the epoch; {@link Row#NEVER} if it does not expire
 * @param entries how many live entries the group had, if it was deleted
 */
public record LoggedChange(
        Kind kind,
        long sequence,
        long timestamp,
        String group,
        String key,
        long version,
        long expiresAt,
        long entries) {

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

        /** A row was given an earlier expiry. That is no event, but whoever keeps the row must no longer use it. */
        SHORTENED
    }

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "LoggedChange[kind=" + kind + ", sequence=" + sequence + ", group=" + group + "]";
    }
}
