package dev.ttlstore.internal.value;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.UnreadableValues;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;

import static java.util.Objects.requireNonNull;

/**
 * How a store converts values to stored bytes and back.
 *
 * @param codecs finds codecs for classes
 * @param maxSize the size of the largest encoded value, in bytes
 * @param policy what reads do with a value that cannot be read
 * @param encrypted selects the groups with sealed values, by full name
 * @param cipher seals and opens these values; null if none is encrypted
 * @param unreadable counts reads that found no entry because its value could not be read
 */
public record ValueSettings(
        Codecs codecs,
        int maxSize,
        UnreadableValues policy,
        Predicate<String> encrypted,
        @Nullable ValueCipher cipher,
        LongAdder unreadable) {

    /** Tests whether the values of a group are sealed. */
    boolean isEncrypted(String group) {
        return cipher != null && encrypted.test(group);
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
        requireNonNull(stored, "'value' must not be null");
        if (stored.length > maxSize && !isEncrypted(group)) {
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
        return isEncrypted(group) ? unseal(group, key, stored) : stored;
    }

    /** Seals a value of an encrypted group, and checks that a foreign cipher keeps the rules. */
    byte[] seal(String group, String key, byte[] value) {
        byte @Nullable [] sealed;
        try {
            sealed = requireNonNull(cipher).seal(group, key, value);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw failure("A value for group '" + group + "' could not be sealed", e);
        }
        return requireBytes(sealed, group, "sealed");
    }

    /** Opens a sealed value. A value that the cipher refuses is unreadable. Any other exception is not the value's fault. */
    byte[] unseal(String group, String key, byte[] sealed) {
        byte @Nullable [] value;
        try {
            value = requireNonNull(cipher).open(group, key, sealed.clone());
        } catch (GeneralSecurityException e) {
            throw new SealedValueException(group);
        } catch (RuntimeException e) {
            throw failure("A value of group '" + group + "' could not be opened", e);
        }
        return requireBytes(value, group, "opened");
    }

    private static byte[] requireBytes(byte @Nullable [] bytes, String group, String what) {
        if (bytes == null) {
            throw new StoreException("The cipher of group '" + group + "' has " + what + " a value as null");
        }
        return bytes;
    }

    /** Omits the cause, because its message may quote the value. Keeps its stack trace. */
    private static StoreException failure(String what, Exception cause) {
        StoreException failure = new StoreException(
                what + ": its cipher has thrown " + cause.getClass().getName());
        failure.setStackTrace(cause.getStackTrace());
        return failure;
    }
}
