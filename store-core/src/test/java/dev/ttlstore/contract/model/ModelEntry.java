package dev.ttlstore.contract.model;

/**
 * An entry of the model. Times are milliseconds since the epoch.
 *
 * @param value the value
 * @param version the version, {@link #UNKNOWN} until the store has told it
 * @param createdAt when the entry came into being
 * @param updatedAt when the value was put
 * @param expiresAt when the entry is gone, or {@link #NEVER}
 */
record ModelEntry(String value, long version, long createdAt, long updatedAt, long expiresAt) {

    /** The version of an entry until the store has told it: a model does not guess numbers. */
    static final long UNKNOWN = -1;

    /** The expiry of an entry that does not expire. */
    static final long NEVER = Long.MAX_VALUE;

    ModelEntry withVersion(long told) {
        return new ModelEntry(value, told, createdAt, updatedAt, expiresAt);
    }

    ModelEntry withExpiry(long newExpiresAt) {
        return new ModelEntry(value, version, createdAt, updatedAt, newExpiresAt);
    }
}
