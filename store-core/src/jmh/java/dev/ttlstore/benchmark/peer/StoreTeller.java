package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.Subscription;

/** A store that tells what expires. */
final class StoreTeller implements ExpiryTeller {

    private static final int PUTS_PER_COMMIT = 1_000;
    private static final String VALUE = "x".repeat(100);

    private final Store store;

    private StoreTeller(Store store) {
        this.store = store;
    }

    static StoreTeller listening(Path folder, boolean onTime, Duration purgeInterval, IntConsumer told) {
        Store store = Store.builder()
                .path(folder.resolve("store.db"))
                .expiryOnTime(onTime)
                .purgeInterval(purgeInterval)
                .open();
        Subscription unused = store.onChange(event -> {
            if (event instanceof EntryExpired expired) {
                told.accept(Integer.parseInt(expired.key()));
            }
        });
        return new StoreTeller(store);
    }

    static StoreTeller subscribed(Path folder, IntConsumer told) {
        Store store = Store.open(folder.resolve("store.db"));
        Subscription unused =
                store.onExpired("benchmark", "group", entry -> told.accept(Integer.parseInt(entry.key())));
        return new StoreTeller(store);
    }

    @Override
    public void put(long[] expiresAt) {
        for (int from = 0; from < expiresAt.length; from += PUTS_PER_COMMIT) {
            int first = from;
            store.transact(tx -> {
                for (int i = first; i < Math.min(first + PUTS_PER_COMMIT, expiresAt.length); i++) {
                    tx.group("group").put(String.valueOf(i), VALUE, Instant.ofEpochMilli(expiresAt[i]));
                }
                return true;
            });
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
