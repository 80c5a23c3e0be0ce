package dev.ttlstore.sample.secrets;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.sample.web.Hashes;

/**
 * Generates and hashes the keys of secrets. A link contains the key, and the store only its hash. A copy of the
 * store, without the link, is not enough to ask the application for a secret.
 */
final class SecretKeys {

    private static final int RANDOM_BYTES = 18;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{24}");

    /** Looked up in place of an invalid key, so that the answer takes the same time. */
    private static final String NOBODYS = "-".repeat(24);

    private static final SecureRandom random = new SecureRandom();

    private SecretKeys() {}

    /** Returns a new key with 144 random bits. */
    static String make() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the store's key for the key in a link, whatever that contains. */
    static String stored(@Nullable String key) {
        return Hashes.of(key != null && KEY.matcher(key).matches() ? key : NOBODYS);
    }
}
