package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import dev.ttlstore.spring.keys.AnyText;

/** A SHA-256 hash of several parts. Not thread-safe. */
final class Hasher {

    private static final AnyText TEXTS = new AnyText();

    private final MessageDigest digest;

    Hasher() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    Hasher add(String part) {
        return add(TEXTS.encode(part));
    }

    /** Adds a part with its length, so that no other parts have the same hash. */
    Hasher add(byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        digest.update(part);
        return this;
    }

    /** Continues with bytes that are no part of their own. */
    void update(byte[] bytes, int from, int length) {
        digest.update(bytes, from, length);
    }

    /** Adds all that can be read, with a hash of its own. */
    Hasher add(InputStream content) throws IOException {
        Hasher inner = new Hasher();
        content.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), inner.digest));
        return add(inner.digest.digest());
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
