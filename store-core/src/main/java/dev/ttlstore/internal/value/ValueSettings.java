package dev.ttlstore.internal.value;

import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.UnreadableValues;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * How a store converts values to stored bytes and back.
 *
 * @param codecs finds codecs for classes
 * @param maxSize the size of the largest encoded value, in bytes
 * @param policy what reads do with a value that cannot be read
 * @param encryption seals the values of some groups; null if none is encrypted
 * @param unreadable counts reads that found no entry because its value could not be read
 */
public record ValueSettings(
        Codecs codecs,
        int maxSize,
        UnreadableValues policy,
        @Nullable Encryption encryption,
        LongAdder unreadable) {

    /** The encryption of a group; null if it is not encrypted. */
    @Nullable
    Encryption encryption(String fullName) {
        return encryption != null && encryption.groups().test(fullName) ? encryption : null;
    }

    /**
     * Checks bytes that are stored as they are. Those of an encrypted group are sealed, which has made them larger than the limit
     * may allow.
     *
     * @param group the full group name
     * @param stored the bytes
     * @return a copy of them
     * @throws ValueTooLargeException if they are larger than a value may be
     */
    public byte[] requireStorable(String group, byte[] stored) {
        Objects.requireNonNull(stored, "'value' must not be null");
        if (stored.length > maxSize && encryption(group) == null) {
            throw new ValueTooLargeException(group, stored.length, maxSize);
        }
        return stored.clone();
    }

    /**
     * Opens stored bytes if their group is encrypted.
     *
     * @param group the full group name
     * @param key the key of their entry
     * @param stored the bytes
     * @return the encoded value
     * @throws dev.ttlstore.exception.SealedValueException if the cipher cannot open them
     */
    public byte[] open(String group, String key, byte[] stored) {
        Encryption sealing = encryption(group);
        return sealing == null ? stored : sealing.open(group, key, stored);
    }
}
