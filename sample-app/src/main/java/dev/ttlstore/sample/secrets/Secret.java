package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * A secret as it is stored. The store encrypts it.
 *
 * @param value the text, or what the sender's browser has made of it
 * @param views how often it can still be revealed
 * @param passphrase a hash of the passphrase, or null
 * @param sealed whether the sender's browser has encrypted the text, with a key that only the link contains
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Secret(String value, int views, @Nullable String passphrase, boolean sealed) {

    /** The longest time for which a secret is kept. */
    static final Duration MAX_TTL = Duration.ofDays(365);

    /** Returns what is left after a view: empty after the last one. */
    Optional<Secret> viewed() {
        return views > 1 ? Optional.of(new Secret(value, views - 1, passphrase, sealed)) : Optional.empty();
    }

    /** Omits the value, because frameworks may log what they read. */
    @Override
    public String toString() {
        return "Secret[views=" + views + "]";
    }
}
