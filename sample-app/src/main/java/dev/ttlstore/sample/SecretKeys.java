package dev.ttlstore.sample;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Keys of secrets: what is in their links, and what stands for that in the store, a hash. Who has a copy of the store, and not
 * of the link, cannot ask the application for the secret.
 */
final class SecretKeys {

    private static final int RANDOM_BYTES = 18;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{24}");

    /** Looked up in place of what cannot be a key, so that it takes the same time to find nothing. */
    private static final String NOBODYS = "-".repeat(24);

    private static final SecureRandom random = new SecureRandom();

    private SecretKeys() {}

    /** A new key, of 144 random bits. */
    static String make() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Under which key of the store a secret is whose link has a key, whatever that is. */
    static String stored(@Nullable String key) {
        return Hashes.of(key != null && KEY.matcher(key).matches() ? key : NOBODYS);
    }
}
