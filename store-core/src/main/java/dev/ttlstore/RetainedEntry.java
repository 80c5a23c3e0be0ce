package dev.ttlstore;

import java.time.Instant;

import dev.ttlstore.engine.Row;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;

/** An entry that has expired, as an audit finds it. Immutable. */
public final class RetainedEntry {

    private final String group;
    private final Row row;
    private final StoreContext context;

    RetainedEntry(String group, Row row, StoreContext context) {
        this.group = group;
        this.row = row;
        this.context = context;
    }

    /**
     * The group that the entry was in.
     *
     * @return the group, by the name that whoever asked knows it by
     */
    public String group() {
        return group;
    }

    /**
     * The entry's key.
     *
     * @return the key
     */
    public String key() {
        return row.key().key();
    }

    /**
     * The entry's value.
     *
     * @param codec the codec of its group
     * @return the value
     * @param <V> its type
     * @throws CodecException if the codec cannot read it
     * @throws SealedValueException if its group is encrypted and it does not open
     */
    public <V> V value(Codec<V> codec) {
        return new RowValues<>(row.key().group(), codec, context).require(key(), row.value());
    }

    /**
     * The version of the value.
     *
     * @return the number of the put that wrote it
     */
    public long version() {
        return row.version();
    }

    /**
     * When the entry came into being.
     *
     * @return the time, to the millisecond
     */
    public Instant createdAt() {
        return Instant.ofEpochMilli(row.createdAt());
    }

    /**
     * When the value was put.
     *
     * @return the time, to the millisecond
     */
    public Instant updatedAt() {
        return Instant.ofEpochMilli(row.updatedAt());
    }

    /**
     * When the entry expired.
     *
     * @return the first instant at which it was gone
     */
    public Instant expiresAt() {
        return Instant.ofEpochMilli(row.expiresAt());
    }

    /** Tells everything but the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "RetainedEntry[group=" + group + ", version=" + version() + ", createdAt=" + createdAt() + ", updatedAt="
                + updatedAt() + ", expiresAt=" + expiresAt() + "]";
    }
}
