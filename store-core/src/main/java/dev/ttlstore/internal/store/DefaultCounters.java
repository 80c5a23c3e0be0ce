package dev.ttlstore.internal.store;

import java.time.Duration;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.commit.Expiry;

/** A group of whole numbers. */
final class DefaultCounters extends DefaultGroup<Long> implements Counters {

    private final Increments increments;

    DefaultCounters(String name, String fullName, RowAccess access) {
        super(name, fullName, Codec.longs(), access);
        this.increments = new Increments(mutations());
    }

    @Override
    public long increment(String key) {
        return increment(key, 1);
    }

    @Override
    public long increment(String key, long delta) {
        return increment(key, delta, increments.standing());
    }

    @Override
    public long increment(String key, long delta, Duration ttlOnCreate) {
        return increment(key, delta, Increments.onCreate(ttlOnCreate));
    }

    private long increment(String key, long delta, Expiry expiry) {
        return increments.number(key, access().submit(increments.of(key, delta, expiry)));
    }

    @Override
    public AsyncCounters async() {
        access().requireAsync();
        return new DefaultAsyncCounters(access(), mutations());
    }
}
