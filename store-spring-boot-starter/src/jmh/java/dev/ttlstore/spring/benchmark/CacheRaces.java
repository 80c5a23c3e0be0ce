package dev.ttlstore.spring.benchmark;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheSettings;

import static java.util.Objects.requireNonNull;

/** Spring's caches, of texts of 100 characters that Java's serialization writes. */
final class CacheRaces {

    private static final Duration TTL = Duration.ofHours(1);
    private static final String VALUE = "v".repeat(100);

    private CacheRaces() {}

    private static CacheManager manager(Store store) {
        JavaCodec codec = new JavaCodec(AllowedClasses.of(List.of()), "none", null);
        return new StoreCacheManager(store, name -> new StoreCacheSettings(TTL, true, codec), List.of());
    }

    /** Its writes have been made when they return. By default its 'put' only sends the value, and a read may miss it. */
    private static CacheManager manager(Redis redis) {
        return RedisCacheManager.builder(RedisCacheWriter.create(
                        redis.connections(), RedisCacheWriter.RedisCacheWriterConfigurer::immediateWrites))
                .cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(TTL))
                .build();
    }

    static List<Race> of(Bench bench) {
        Map<Side, CacheManager> managers = new EnumMap<>(Side.class);
        bench.stores().forEach((side, store) -> managers.put(side, manager(store)));
        bench.redis().forEach((side, redis) -> managers.put(side, manager(redis)));
        Race hit = new Race("cache: hit", 1);
        Race hits = new Race("cache: hit, 8 threads", 8);
        Race put = new Race("cache: put", 1);
        Race evict = new Race("cache: put and evict", 1);
        managers.forEach((side, manager) -> {
            Cache cache = requireNonNull(manager.getCache("books"));
            Bench.forEachKey(key -> cache.put("key " + key, VALUE));
            hit.add(side, () -> hit(cache));
            hits.add(side, () -> hit(cache));
            put.add(side, () -> cache.put("key " + Bench.random(), VALUE));
            evict.add(side, () -> {
                String key = "other " + Bench.random();
                cache.put(key, VALUE);
                cache.evict(key);
            });
        });
        return List.of(hit, hits, put, evict);
    }

    private static void hit(Cache cache) {
        Cache.ValueWrapper found = cache.get("key " + Bench.random());
        Race.require(found != null && VALUE.equals(found.get()), "no hit");
    }
}
