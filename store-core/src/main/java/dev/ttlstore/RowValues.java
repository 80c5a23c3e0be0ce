package dev.ttlstore;

import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;

/**
 * How the values of a group stand in its rows: encoded, and sealed where the group is encrypted. All values go in and come out
 * through here, so that nothing else of the store knows of ciphers.
 */
final class RowValues<V> {

    private final String group;
    private final Codec<V> codec;
    private final StoreContext context;
    private final @Nullable Encryption encryption;

    /**
     * Creates the values.
     *
     * @param group the full name of the group
     * @param codec what turns values into bytes and back
     * @param context what all groups share
     */
    RowValues(String group, Codec<V> codec, StoreContext context) {
        this.group = group;
        this.codec = codec;
        this.context = context;
        this.encryption = context.encryption(group);
    }

    /** A value as it is stored. */
    byte[] encode(String key, V value, String parameter) {
        return seal(key, encoded(value, parameter));
    }

    /** Whether stored bytes are those of a value. Sealed ones are opened, for they differ each time. */
    Predicate<byte[]> holding(String key, V expected, String parameter) {
        byte[] wanted = encoded(expected, parameter);
        return stored -> holds(key, stored, wanted);
    }

    private boolean holds(String key, byte[] stored, byte[] wanted) {
        if (encryption == null) {
            return Arrays.equals(stored, wanted);
        }
        try {
            return Arrays.equals(open(key, stored), wanted);
        } catch (SealedValueException e) {
            countAbsent(e);
            return false;
        }
    }

    private byte[] encoded(V value, String parameter) {
        if (value == null) {
            throw new NullPointerException("'" + parameter + "' must not be null");
        }
        return Codecs.encode(codec, value, group, context.maxValueSize());
    }

    /** Stored bytes as a value; null stands for one that cannot be read and is to be taken for absent. */
    @Nullable
    V decode(String key, byte[] stored) {
        try {
            return require(key, stored);
        } catch (CodecException | SealedValueException e) {
            countAbsent(e);
            return null;
        }
    }

    /** Stored bytes as a value, whatever is said of those that cannot be read. */
    V require(String key, byte[] stored) {
        return Codecs.decode(codec, open(key, stored), group);
    }

    /** Encoded bytes as they are stored. */
    byte[] seal(String key, byte[] encoded) {
        return encryption == null ? encoded : encryption.seal(group, key, encoded);
    }

    /** Stored bytes as they were encoded. */
    byte[] open(String key, byte[] stored) {
        return encryption == null ? stored : encryption.open(group, key, stored);
    }

    private void countAbsent(StoreException unreadable) {
        if (context.unreadableValues() == UnreadableValues.FAIL) {
            throw unreadable;
        }
        context.unreadable().increment();
    }
}
