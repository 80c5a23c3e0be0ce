package dev.ttlstore;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/**
 * What reads do with a value that cannot be read. Either the group's codec cannot decode it, for example after an
 * incompatible change of its class, or the group's cipher cannot open it.
 */
public enum UnreadableValues {

    /** Reads throw {@link CodecException} or {@link SealedValueException}. */
    FAIL,

    /**
     * Reads find no entry, and count it in {@link StoreActivity#unreadable()}. Methods that do not look at values
     * ({@code contains}, {@code count}, {@code keys}, {@code putIfAbsent}) still find the entry, and it can be
     * overwritten and deleted. {@code increment} throws.
     */
    ABSENT
}
