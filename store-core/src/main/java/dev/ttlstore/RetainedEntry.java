package dev.ttlstore;

import java.time.Instant;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/**
 * An expired entry that the store still keeps. Immutable.
 *
 * <pre>{@code
 * try (Stream<RetainedEntry> lost = store.expired(Instant.now().minus(Duration.ofDays(1)), Instant.now())) {
 *     lost.filter(entry -> entry.group().equals("config"))
 *             .forEach(entry -> log.info("{} was {}", entry.key(), entry.value(Codec.text())));
 * }
 * }</pre>
 *
 * @since 0.1
 * @see Keyspace#expired
 * @see StoreBuilder#retention
 * @see GroupSettings#withRetention
 */
public interface RetainedEntry {

    /**
     * Returns the entry's group.
     *
     * @return the name by which the caller's store or scope knows the group
     */
    String group();

    /**
     * Returns the entry's key.
     *
     * @return the key
     */
    String key();

    /**
     * Decodes the entry's value.
     *
     * @param codec the codec of its group
     * @return the value
     * @param <V> its type
     * @throws CodecException if the codec cannot decode it
     * @throws SealedValueException if the group is encrypted and the cipher cannot open the value
     */
    <V> V value(Codec<V> codec);

    /**
     * Returns the version of the value.
     *
     * @return the version
     */
    long version();

    /**
     * Returns when the entry was created.
     *
     * @return the time, to the millisecond
     */
    Instant createdAt();

    /**
     * Returns when the value was written.
     *
     * @return the time, to the millisecond
     */
    Instant updatedAt();

    /**
     * Returns when the entry expired.
     *
     * @return the first instant at which it was gone, to the millisecond
     */
    Instant expiresAt();
}
