package dev.ttlstore;

import java.time.Instant;

/** An entry that has expired, as an audit finds it. Immutable. */
public final class RetainedEntry {

    private final String group;
    private final String key;
    private final byte[] value;
    private final long version;
    private final Instant createdAt;
    private final Instant updatedAt;
    private final Instant expiresAt;

    RetainedEntry(
            String group,
            String key,
            byte[] value,
            long version,
            Instant createdAt,
            Instant updatedAt,
            Instant expiresAt) {
        this.group = group;
        this.key = key;
        this.value = value;
        this.version = version;
        this.createdAt = createdAt;
        this.updatedAt = updatedAt;
        this.expiresAt = expiresAt;
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
        return key;
    }

    /**
     * The entry's value.
     *
     * @param codec the codec of its group
     * @return the value
     * @param <V> its type
     * @throws CodecException if the codec cannot read it
     */
    public <V> V value(Codec<V> codec) {
        return Codecs.decode(codec, value, group);
    }

    /**
     * The version of the value.
     *
     * @return the number of the put that wrote it
     */
    public long version() {
        return version;
    }

    /**
     * When the entry came into being.
     *
     * @return the time, to the millisecond
     */
    public Instant createdAt() {
        return createdAt;
    }

    /**
     * When the value was put.
     *
     * @return the time, to the millisecond
     */
    public Instant updatedAt() {
        return updatedAt;
    }

    /**
     * When the entry expired.
     *
     * @return the first instant at which it was gone
     */
    public Instant expiresAt() {
        return expiresAt;
    }

    /** Tells everything but the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "RetainedEntry[group=" + group + ", version=" + version + ", createdAt=" + createdAt + ", updatedAt="
                + updatedAt + ", expiresAt=" + expiresAt + "]";
    }
}
