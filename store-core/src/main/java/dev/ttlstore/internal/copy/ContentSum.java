package dev.ttlstore.internal.copy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A checksum of rows that does not depend on their order: the sum of 128 bits of the SHA-256 of each row, in two halves. A sum
 * also notices a row that is there twice, which an exclusive or would not. Used by one thread.
 */
final class ContentSum {

    private final MessageDigest digest = sha256();
    private final ByteBuffer eight = ByteBuffer.allocate(Long.BYTES);
    private long count;
    private long high;
    private long low;

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Adds a text of the current row; null differs from every text. */
    ContentSum text(@Nullable String text) {
        return text == null ? number(-1) : bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes of the current row, with their length, so that the next ones cannot be mistaken for a part of them. */
    ContentSum bytes(byte[] bytes) {
        ContentSum unused = number(bytes.length);
        digest.update(bytes);
        return this;
    }

    ContentSum number(long number) {
        digest.update(eight.putLong(0, number).array());
        return this;
    }

    /** Ends the current row. */
    void end() {
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        high += hash.getLong();
        low += hash.getLong();
        count++;
    }

    long count() {
        return count;
    }

    String digits() {
        return String.format(Locale.ROOT, "%016x%016x", high, low);
    }
}
