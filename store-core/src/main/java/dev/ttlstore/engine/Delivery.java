package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * The expiry of a row, recorded for a subscriber in the transaction that removed the row. The row's value is read when
 * it is needed, because there may be many deliveries and values may be large.
 *
 * @param id its id; later deliveries of a key have higher ids, and no id is used twice
 * @param subscriber the name of the subscriber
 * @param key the name of the row
 * @param version the version that the row had
 * @param expiresAt when it expired, in milliseconds since the epoch
 * @param attempts how many attempts there were
 * @param nextAt when the next attempt is due, at first the time of the expiry; {@link Row#NEVER} for a dead letter
 * @param error the last exception; null if there was none
 * @since 0.1
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

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "Delivery[id=" + id + ", subscriber=" + subscriber + ", group=" + key.group() + ", attempts=" + attempts
                + "]";
    }
}
