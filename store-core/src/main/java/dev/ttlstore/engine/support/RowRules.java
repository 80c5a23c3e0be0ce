package dev.ttlstore.engine.support;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Names;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What holds for every stored row. A verification reports rows for which it does not hold. */
public final class RowRules {

    private RowRules() {}

    /**
     * Decodes a stored name.
     *
     * @param bytes its bytes
     * @return the text; null if the bytes are no UTF-8
     */
    public static @Nullable String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /**
     * Checks a name.
     *
     * @param what what has the name, such as {@code group}
     * @param name the name; null if it could not be decoded
     * @return what is wrong with it; null if nothing is
     */
    public static @Nullable String problemOfName(String what, @Nullable String name) {
        if (name == null) {
            return "The name of the " + what + " is no UTF-8";
        }
        try {
            String unused = Names.require(name, what);
            return null;
        } catch (IllegalArgumentException e) {
            return "The name of the " + what + " is not valid: " + e.getMessage();
        }
    }

    /**
     * Checks the place of a row in the expiry index.
     *
     * @param expiresAt when the entry expires; null for never
     * @param dueAt its place in the index; null if it has none
     * @param maxLag how far the place may be before the expiry, in milliseconds
     * @return what is wrong with it; null if nothing is
     */
    public static @Nullable String problemOfExpiry(@Nullable Long expiresAt, @Nullable Long dueAt, long maxLag) {
        if (expiresAt == null) {
            return dueAt == null ? null : "The entry is permanent, and has a place in the expiry index";
        }
        if (dueAt == null) {
            return "The entry expires, but has no place in the expiry index, so no purge removes it";
        }
        if (dueAt > expiresAt) {
            return "The place of the entry in the expiry index is after its expiry, so it is purged too late";
        }
        return expiresAt - dueAt > maxLag && dueAt >= Long.MIN_VALUE + maxLag
                ? "The place of the entry in the expiry index is too far before its expiry, so walks miss it"
                : null;
    }
}
