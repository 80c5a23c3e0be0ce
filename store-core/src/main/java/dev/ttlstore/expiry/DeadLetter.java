package dev.ttlstore.expiry;

import java.time.Instant;

/**
 * An expiry that a handler has failed to handle in all attempts. The store keeps it until a retry succeeds or you
 * discard it.
 *
 * @param id its id
 * @param subscriber the name of its subscriber
 * @param group the group of the entry
 * @param key the key of the entry
 * @param version the version that the entry had
 * @param expiresAt when the entry expired
 * @param attempts how many times the handler was called for it
 * @param lastError the classes of the last exception and of its causes, each with the place where it was thrown, at
 *     most 1,000 characters. Messages are left out, because they may quote the value, except for those of the store's
 *     own exceptions
 * @since 0.1
 * @see DeadLetters
 */
public record DeadLetter(
        long id,
        String subscriber,
        String group,
        String key,
        long version,
        Instant expiresAt,
        int attempts,
        String lastError) {

    /** Returns a text without the key and the error, which may contain secrets. */
    @Override
    public String toString() {
        return "DeadLetter[id=" + id + ", subscriber=" + subscriber + ", group=" + group + ", version=" + version
                + ", expiresAt=" + expiresAt + ", attempts=" + attempts + "]";
    }
}
