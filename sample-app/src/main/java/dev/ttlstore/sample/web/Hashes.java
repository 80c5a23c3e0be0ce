package dev.ttlstore.sample.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes texts that must not be stored or shown. Only for long random texts: others could be guessed. */
public final class Hashes {

    private Hashes() {}

    public static String of(String random) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(random.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
