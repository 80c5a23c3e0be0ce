package dev.ttlstore.internal.store;

import java.time.Instant;

import dev.ttlstore.Codec;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.engine.Row;
import dev.ttlstore.internal.value.RowValues;
import dev.ttlstore.internal.value.ValueSettings;

/** A retained entry, decoded on demand. */
final class RetainedRow implements RetainedEntry {

    private final String group;
    private final Row row;
    private final ValueSettings values;

    /**
     * Creates an entry.
     *
     * @param group the name by which the caller knows the group
     * @param row the entry's row
     * @param values how values are converted
     */
    RetainedRow(String group, Row row, ValueSettings values) {
        this.group = group;
        this.row = row;
        this.values = values;
    }

    @Override
    public String group() {
        return group;
    }

    @Override
    public String key() {
        return row.key().key();
    }

    @Override
    public <V> V value(Codec<V> codec) {
        return new RowValues<>(row.key().group(), codec, values).require(row);
    }

    @Override
    public long version() {
        return row.version();
    }

    @Override
    public Instant createdAt() {
        return Instant.ofEpochMilli(row.createdAt());
    }

    @Override
    public Instant updatedAt() {
        return Instant.ofEpochMilli(row.updatedAt());
    }

    @Override
    public Instant expiresAt() {
        return Instant.ofEpochMilli(row.expiresAt());
    }

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "RetainedEntry[group=" + group + ", version=" + version() + ", createdAt=" + createdAt() + ", updatedAt="
                + updatedAt() + ", expiresAt=" + expiresAt() + "]";
    }
}
