package dev.ttlstore;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/**
 * What reads do with a value that cannot be read: by the group's codec, as after an incompatible change of its class, or, where
 * the group is encrypted, because it does not open.
 */
public enum UnreadableValues {

    /** They throw {@link CodecException} or {@link SealedValueException}. */
    FAIL,

    /**
     * They answer as if there were no entry, and count it in {@link StoreActivity#unreadable()}. What does not look at values
     * ({@code contains}, {@code count}, {@code keys}, {@code putIfAbsent}) still finds the entry, and it can be overwritten and
     * deleted; {@code increment} throws.
     */
    ABSENT
}
