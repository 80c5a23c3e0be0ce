package dev.ttlstore;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreCorruptedException;

/**
 * What reads do with an unreadable value. A value is unreadable if the group's codec cannot decode it, for example
 * after an incompatible change of its class, if the group's cipher cannot open it, or if it does not match its
 * checksum.
 *
 * @since 0.1
 * @see StoreBuilder#unreadableValues
 * @see StoreActivity#unreadable()
 */
public enum UnreadableValues {

    /** Reads throw {@link CodecException}, {@link SealedValueException} or {@link StoreCorruptedException}. */
    FAIL,

    /**
     * Reads find no entry, and count it in {@link StoreActivity#unreadable()}. Methods that do not look at values
     * ({@code contains}, {@code count}, {@code keys}, {@code putIfAbsent}) still find the entry, and it can be
     * overwritten and deleted. {@code increment} throws.
     */
    ABSENT
}
