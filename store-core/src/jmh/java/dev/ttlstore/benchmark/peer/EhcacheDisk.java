package dev.ttlstore.benchmark.peer;

import java.nio.file.Path;
import java.time.Duration;

import org.ehcache.Cache;
import org.ehcache.PersistentCacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ExpiryPolicyBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.EntryUnit;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;

/** Ehcache with a heap tier above a disk tier, which is written behind the caller's back. */
final class EhcacheDisk implements Peer {

    /** Room for all of the data, as every peer gets it. */
    private static final long HEAP_ENTRIES = 3_000_000;

    private static final long DISK_GIGABYTES = 4;

    private final PersistentCacheManager manager;
    private final Cache<String, byte[]> cache;

    EhcacheDisk(Path folder) {
        this.manager = CacheManagerBuilder.newCacheManagerBuilder()
                .with(CacheManagerBuilder.persistence(folder.resolve("ehcache").toFile()))
                .build(true);
        this.cache = manager.createCache(
                "entry",
                CacheConfigurationBuilder.newCacheConfigurationBuilder(
                                String.class,
                                byte[].class,
                                ResourcePoolsBuilder.newResourcePoolsBuilder()
                                        .heap(HEAP_ENTRIES, EntryUnit.ENTRIES)
                                        .disk(DISK_GIGABYTES, MemoryUnit.GB, true))
                        .withExpiry(ExpiryPolicyBuilder.timeToLiveExpiration(TTL)));
    }

    @Override
    public void load(Dataset data) {
        for (int i = 0; i < data.size(); i++) {
            cache.put(Joined.text(data.group(i), data.key(i)), data.value(i));
        }
    }

    @Override
    public void put(String group, String key, byte[] value, Duration ttl) {
        cache.put(Joined.text(group, key), value);
    }

    @Override
    public byte @Nullable [] get(String group, String key) {
        return cache.get(Joined.text(group, key));
    }

    @Override
    public void close() {
        manager.close();
    }
}
