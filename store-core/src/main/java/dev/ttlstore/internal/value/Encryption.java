package dev.ttlstore.internal.value;

import java.security.GeneralSecurityException;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;

/**
 * The groups with sealed values, and their cipher.
 *
 * @param groups selects groups by full name
 * @param cipher seals and opens values
 */
public record Encryption(Predicate<String> groups, ValueCipher cipher) {

    /** Seals a value, and checks that a foreign cipher keeps the rules. */
    byte[] seal(String group, String key, byte[] value) {
        byte @Nullable [] sealed;
        try {
            sealed = cipher.seal(group, key, value);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw failure("A value for group '" + group + "' could not be sealed", e);
        }
        return requireBytes(sealed, group, "sealed");
    }

    /** Opens a value. A value that the cipher refuses is unreadable. Any other exception is not the value's fault. */
    byte[] open(String group, String key, byte[] sealed) {
        byte @Nullable [] value;
        try {
            value = cipher.open(group, key, sealed.clone());
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
