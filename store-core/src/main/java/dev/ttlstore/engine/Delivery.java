package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * The expiry of a row, recorded for a subscriber in the transaction that has removed the row. The value that the row had is
 * read when it is needed, for there may be many deliveries and values may be large.
 *
 * @param id what it goes by; later ones of a key have higher ones, and none is used twice
 * @param subscriber the name of the subscriber
 * @param key the name of the row
 * @param version the version that it had
 * @param expiresAt when it expired, in milliseconds since the epoch
 * @param attempts how often it has been tried
 * @param nextAt when it is to be tried next, at first the time of the expiry; {@link Row#NEVER} if it is a dead letter
 * @param error what was thrown last; null if nothing was
 */
public record Delivery(
        long id,
        String subscriber,
        RowKey key,
        long version,
        long expiresAt,
        int attempts,
        long nextAt,
        @Nullable String error) {

    /** Says which it is, without its key. */
    @Override
    public String toString() {
        return "Delivery[id=" + id + ", subscriber=" + subscriber + ", group=" + key.group() + ", attempts=" + attempts
                + "]";
    }
}
