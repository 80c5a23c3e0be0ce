package dev.ttlstore;

import java.time.Instant;

/**
 * An entry that will expire.
 *
 * @param group the group, by the name that the caller's store or scope knows it by
 * @param key the key
 * @param version the version of the value
 * @param expiresAt the first instant at which the entry is gone
 * @since 0.1
 * @see Keyspace#expiring
 */
public record ExpiringEntry(String group, String key, long version, Instant expiresAt) {

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "ExpiringEntry[group=" + group + ", version=" + version + ", expiresAt=" + expiresAt + "]";
    }
}
