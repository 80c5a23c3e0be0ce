package dev.ttlstore.benchmark.peer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** A key-value store under measurement. Thread-safe; what it promises is in its {@link Configuration}. */
public interface Peer extends AutoCloseable {

    /** How long all that is put lives. */
    Duration TTL = Duration.ofHours(1);

    /** Puts all of the data, as fast as the store can and without a promise for the single entry. */
    void load(Dataset data);

    /** Puts a value, and keeps what the configuration promises before it returns. */
    void put(String group, String key, byte[] value, Duration ttl);

    /** Reads a value; null if there is none that has not expired. */
    byte @Nullable [] get(String group, String key);

    @Override
    void close();
}
