package dev.ttlstore.engine.support;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.verification.Finding.Kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * What holds for every stored record. A verification reports those for which it does not hold, and a repair leaves them out. Used by
 * one thread.
 *
 * @since 0.1
 */
public final class RecordCheck {

    private final Inspection inspection;

    /**
     * Prepares to check.
     *
     * @param inspection receives what is found
     */
    public RecordCheck(Inspection inspection) {
        this.inspection = inspection;
    }

    /**
     * The name of a record, as it can be read.
     *
     * @param group its group; null if that is no UTF-8
     * @param key its key; null if that is no UTF-8
     */
    public record Name(@Nullable String group, @Nullable String key) {

        /**
         * Checks it.
         *
         * @return what is wrong with it; null if nothing is
         */
        public @Nullable String problem() {
            String problem = problemOfName("group", group);
            return problem == null ? problemOfName("key", key) : problem;
        }

        /**
         * Returns the name of a record without a problem.
         *
         * @return the name
         */
        public RowKey rowKey() {
            return new RowKey(requireNonNull(group), requireNonNull(key));
        }
    }

    /**
     * Reports a problem, if there is one.
     *
     * @param kind its kind
     * @param name the record
     * @param problem what is wrong; null if nothing is
     */
    public void report(Kind kind, Name name, @Nullable String problem) {
        if (problem != null) {
            inspection.found(kind, name.group(), name.key(), problem);
        }
    }

    /**
     * Checks a name.
     *
     * @param name the name
     */
    public void name(Name name) {
        report(Kind.NAME, name, problemOfName("group", name.group()));
        report(Kind.NAME, name, problemOfName("key", name.key()));
    }

    /**
     * Checks the times of an entry.
     *
     * @param name its name
     * @param createdAt when it was created
     * @param updatedAt when its value was put
     */
    public void times(Name name, long createdAt, long updatedAt) {
        if (createdAt > updatedAt) {
            report(Kind.TIMES, name, "The value was put before the entry was created");
        }
    }

    /**
     * Checks the place of an entry in the expiry index; see {@link #problemOfExpiry}.
     *
     * @param name its name
     * @param expiresAt when it expires; null for never
     * @param dueAt its place in the index; null if it has none
     * @param maxLag how far the place may be before the expiry, in milliseconds
     */
    public void expiry(Name name, @Nullable Long expiresAt, @Nullable Long dueAt, long maxLag) {
        report(Kind.TIMES, name, problemOfExpiry(expiresAt, dueAt, maxLag));
    }

    /**
     * Reports a delivery whose subscriber is missing.
     *
     * @param name the entry
     * @param subscriber the name of the subscriber
     */
    public void orphan(Name name, @Nullable String subscriber) {
        report(
                Kind.ORPHAN,
                name,
                "A delivery of the entry is for the subscriber " + subscriber + ", which does not exist");
    }

    /**
     * Reports waiting deliveries of a key to a subscriber, unless exactly one of them has a time.
     *
     * @param name the entry
     * @param timed how many have one
     */
    public void disorder(Name name, long timed) {
        report(
                Kind.ORDER,
                name,
                "Of the waiting deliveries of a key to a subscriber one must have a time, but " + timed + " have");
    }

    /**
     * Describes a usage.
     *
     * @param usage the usage of a group; null for none
     * @return a text for people
     */
    public static String text(@Nullable GroupUsage usage) {
        return usage == null ? "no entries" : usage.rows() + " entries with " + usage.bytes() + " bytes";
    }

    /**
     * Decodes a stored name.
     *
     * @param bytes its bytes
     * @return the text; null if the bytes are no UTF-8
     */
    public static @Nullable String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
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
