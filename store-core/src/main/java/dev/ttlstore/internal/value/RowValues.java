package dev.ttlstore.internal.value;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.Entry;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;

/**
 * Converts the values of a group to the bytes in its rows and back: encodes them, and seals them if the group is
 * encrypted. All values pass through here, so nothing else in the store knows of ciphers.
 *
 * @param <V> the type of the values
 */
public final class RowValues<V> {

    private final String group;
    private final Codec<V> codec;
    private final ValueSettings settings;
    private final boolean isSealed;

    /**
     * Creates the values.
     *
     * @param group the full name of the group
     * @param codec encodes and decodes values
     * @param settings how the store converts values
     */
    public RowValues(String group, Codec<V> codec, ValueSettings settings) {
        this.group = group;
        this.codec = codec;
        this.settings = settings;
        this.isSealed = settings.isEncrypted(group);
    }

    /**
     * Encodes and seals a value.
     *
     * @param key the key of its entry
     * @param value the value
     * @param parameter the name of the caller's parameter
     * @return the bytes to store
     */
    public byte[] encode(String key, V value, String parameter) {
        return seal(key, encoded(value, parameter));
    }

    /**
     * Returns what says of a row that it holds a value. Sealed bytes are opened, because sealing gives different bytes each time.
     *
     * @param key the key of its entry
     * @param expected the value; the caller's parameter has the same name
     * @return a condition that holds only of rows with the value
     */
    public Condition holding(String key, V expected) {
        byte[] wanted = encoded(expected, "expected");
        return isSealed
                ? Condition.test(live -> live != null && opensTo(key, live.value(), wanted))
                : Condition.value(wanted);
    }

    private boolean opensTo(String key, byte[] stored, byte[] wanted) {
        try {
            return Arrays.equals(open(key, stored), wanted);
        } catch (SealedValueException e) {
            countAbsent(e);
            return false;
        }
    }

    /**
     * Returns what says of a row that its value can be decoded.
     *
     * @return a condition that holds only of rows whose values can; null if only decoding them can tell
     */
    public @Nullable Condition readable() {
        if (isSealed) {
            return null;
        }
        return codec == Codec.bytes() ? Condition.LIVE : codec.decodesText() ? Condition.TEXT : null;
    }

    /**
     * Tests whether stored bytes are sealed, so that no engine can read them.
     *
     * @return whether the group is encrypted
     */
    public boolean isSealed() {
        return isSealed;
    }

    private byte[] encoded(V value, String parameter) {
        if (value == null) {
            throw new NullPointerException("'" + parameter + "' must not be null");
        }
        return Codecs.encode(codec, value, group, settings.maxSize());
    }

    private @Nullable V decode(String key, byte[] stored, boolean damaged, boolean own) {
        try {
            return require(key, stored, damaged, own);
        } catch (CodecException | SealedValueException | StoreCorruptedException e) {
            countAbsent(e);
            return null;
        }
    }

    /**
     * Decodes bytes that are not sealed any more, such as those of an event.
     *
     * @param encoded the bytes
     * @return the value; null if the bytes cannot be read and the policy lets them count as absent
     */
    @Nullable
    public V decodeOpened(byte[] encoded) {
        try {
            return Codecs.decode(codec, encoded, group);
        } catch (CodecException e) {
            countAbsent(e);
            return null;
        }
    }

    /**
     * Opens and decodes the value of a row.
     *
     * @param row the row
     * @return the value; null if it cannot be read and the policy lets it count as absent
     */
    @Nullable
    public V decode(Row row) {
        return decode(row.key().key(), row.storedValue(), row.damaged(), false);
    }

    /**
     * Opens and decodes the value of a row of the group that nobody else uses, so that its bytes need no copy.
     *
     * @param row the row
     * @return the value; null if it cannot be read and the policy lets it count as absent
     */
    @Nullable
    public V decodeOwn(Row row) {
        return decode(row.key().key(), row.storedValue(), row.damaged(), true);
    }

    /**
     * Converts a live row.
     *
     * @param row the row
     * @param now the time, in milliseconds since the epoch
     * @return the entry; null if its value cannot be read and the policy lets it count as absent
     */
    @Nullable
    public Entry<V> entry(Row row, long now) {
        V value = decode(row);
        if (value == null) {
            return null;
        }
        boolean expires = row.expiresAt() != Row.NEVER;
        return new Entry<>(
                row.key().key(),
                value,
                row.version(),
                Instant.ofEpochMilli(row.createdAt()),
                Instant.ofEpochMilli(row.updatedAt()),
                expires ? Instant.ofEpochMilli(row.expiresAt()) : null,
                expires ? Duration.ofMillis(Math.max(1, row.expiresAt() - now)) : null);
    }

    /**
     * Opens and decodes the value of a row, and throws if it cannot be read, whatever the policy.
     *
     * @param row the row
     * @return the value
     */
    public V require(Row row) {
        return require(row.key().key(), row.storedValue(), row.damaged(), false);
    }

    /**
     * Opens and decodes the value of a row of the group, and throws if it cannot be read, whatever the policy.
     *
     * @param row the row
     * @return the value
     */
    public V require(KeyValue row) {
        return require(row.key(), row.storedValue(), row.damaged(), false);
    }

    /** With {@code own}, nobody else uses the stored bytes. */
    private V require(String key, byte[] stored, boolean damaged, boolean own) {
        if (damaged) {
            throw StoreCorruptedException.ofValue("in the group '" + group + "'");
        }
        byte[] encoded = open(key, stored);
        return own ? Codecs.decodeOwn(codec, encoded, group) : Codecs.decode(codec, encoded, group);
    }

    /**
     * Seals encoded bytes if the group is encrypted.
     *
     * @param key the key of their entry
     * @param encoded the bytes
     * @return the bytes to store
     */
    public byte[] seal(String key, byte[] encoded) {
        return isSealed ? settings.seal(group, key, encoded) : encoded;
    }

    /**
     * Opens stored bytes if the group is encrypted.
     *
     * @param key the key of their entry
     * @param stored the bytes
     * @return the encoded bytes
     */
    public byte[] open(String key, byte[] stored) {
        return isSealed ? settings.unseal(group, key, stored) : stored;
    }

    private void countAbsent(StoreException unreadable) {
        if (settings.policy() == UnreadableValues.FAIL) {
            throw unreadable;
        }
        settings.unreadable().increment();
    }
}
