package dev.ttlstore.benchmark.peer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

/** Caffeine alone, with a ttl for each entry. */
final class CaffeineCache implements Peer {

    private record Name(String group, String key) {}

    private static final class Value {

        private final byte[] bytes;
        private final Duration ttl;

        Value(byte[] bytes, Duration ttl) {
            this.bytes = bytes;
            this.ttl = ttl;
        }
    }

    private final Cache<Name, Value> cache = Caffeine.newBuilder()
            .maximumSize(3_000_000)
            .expireAfter(Expiry.<Name, Value>writing((name, value) -> value.ttl))
            .build();

    @Override
    public void load(Dataset data) {
        for (int i = 0; i < data.size(); i++) {
            // A copy for each entry, or a few values would be read from the processor's cache over and over.
            put(data.group(i), data.key(i), data.value(i).clone(), TTL);
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        cache.put(new Name(group, key), new Value(value, ttl));
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        Value value = cache.getIfPresent(new Name(group, key));
        return value == null ? null : value.bytes;
    }

    @Override
    public void close() {
        cache.invalidateAll();
    }
}
