package dev.ttlstore.internal.store;

import java.security.SecureRandom;
import java.util.Base64;

/** Makes keys that nobody can guess. */
final class FreshKeys {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 18; // 144 bits, and a multiple of 3, so that Base64 needs no padding

    private FreshKeys() {}

    static String next() {
        byte[] random = new byte[BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
