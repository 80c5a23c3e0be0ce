package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntConsumer;

/** Something that tells when entries expire. Entries go by numbers. */
public interface ExpiryTeller extends AutoCloseable {

    /** Who, and how. */
    enum Kind {
        /** A listener of a store: {@code onChange}. */
        LISTENER,
        /** A durable subscriber of a store: {@code onExpired}. */
        SUBSCRIBER,
        /** A listener of a store that only purges once a minute. */
        SWEEP,
        /** Keyspace events of Redis, AOF everysec. */
        REDIS;

        /** Opens it, with its files in a folder. */
        public ExpiryTeller open(Path folder, IntConsumer told) {
            return switch (this) {
                case LISTENER -> StoreTeller.listening(folder, true, Duration.ofSeconds(60), told);
                case SUBSCRIBER -> StoreTeller.subscribed(folder, told);
                case SWEEP -> StoreTeller.listening(folder, false, Duration.ofSeconds(60), told);
                case REDIS -> new RedisTeller(folder, told);
            };
        }
    }

    /** Puts entries that expire at some times, in milliseconds since the epoch; the first of them has the number 0. */
    void put(long[] expiresAt);

    @Override
    void close();
}
