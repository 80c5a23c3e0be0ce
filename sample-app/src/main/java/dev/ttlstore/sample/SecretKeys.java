package dev.ttlstore.sample;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** Keys of secrets, as receivers send them. */
final class SecretKeys {

    /** What the store hands out. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{24}");

    /** Looked up in place of what cannot be a key, so that it takes the same time to find nothing. */
    private static final String NOBODYS = "-".repeat(24);

    private SecretKeys() {}

    static String orNobodys(@Nullable String key) {
        return key != null && KEY.matcher(key).matches() ? key : NOBODYS;
    }
}
