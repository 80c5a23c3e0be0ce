package dev.ttlstore.expiry;

import java.time.Instant;

/**
 * An expiry that its subscriber's handler has failed to handle as often as is tried. It is kept until it is retried with
 * success or discarded.
 *
 * @param id what it goes by
 * @param subscriber whose it is
 * @param group the group of the entry
 * @param key the key of the entry
 * @param version the version that the entry had
 * @param expiresAt when the entry expired
 * @param attempts how many times the handler was called for it
 * @param lastError what it threw last: the class and its message, of which a long one is cut off
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

    /** Tells neither the key nor the error, which may name secrets. */
    @Override
    public String toString() {
        return "DeadLetter[id=" + id + ", subscriber=" + subscriber + ", group=" + group + ", version=" + version
                + ", expiresAt=" + expiresAt + ", attempts=" + attempts + "]";
    }
}
