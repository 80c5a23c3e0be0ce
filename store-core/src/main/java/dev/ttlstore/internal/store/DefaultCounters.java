package dev.ttlstore.internal.store;

import dev.ttlstore.AsyncCounters;
import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.internal.access.RowAccess;

/** A group of whole numbers. */
final class DefaultCounters extends DefaultGroup<Long> implements Counters {

    DefaultCounters(String name, String fullName, RowAccess access) {
        super(name, fullName, Codec.longs(), access);
    }

    @Override
    public long increment(String key, long delta, Expiry onCreate) {
        return mutations().increment(key, delta, onCreate).on(access());
    }

    @Override
    public AsyncCounters async() {
        access().requireAsync();
        return new DefaultAsyncGroup.DefaultAsyncCounters(access(), mutations(), computed(), walk());
    }
}
