package dev.ttlstore.jcache;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How keys and values become texts and bytes, and back. */
class CacheKeyTests {

    record Place(String street, int number) implements Serializable {}

    private final Store store = Store.inMemory();
    private final CacheManager manager = JCache.of(store);

    @AfterEach
    void close() {
        manager.close();
        store.close();
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // applications have such keys
    void keysOfManyKindsAreToldApartAndComeBack() {
        Cache<Object, String> cache =
                manager.createCache("all", new StoreConfiguration<Object, String>().allow(Place.class.getName()));
        Map<Object, String> entries = new HashMap<>();
        List<Object> keys = List.of(
                "plain",
                "1",
                1,
                1L,
                (short) 1,
                (byte) 1,
                true,
                "true",
                "",
                "#",
                "#Integer:1",
                "a\0b",
                "\ud800",
                "é".repeat(600),
                "x".repeat(5_000),
                new UUID(1, 2),
                Instant.EPOCH,
                new BigDecimal("1.0"),
                TimeUnit.DAYS,
                List.of("a", 1),
                new Place("Main Street", 1),
                new Place("s".repeat(3_000), 2));
        keys.forEach(key -> entries.put(key, "value of " + entries.size()));
        cache.putAll(entries);
        assertThat(entries).hasSameSizeAs(keys);
        assertThat(cache.getAll(entries.keySet())).isEqualTo(entries);
        Map<Object, String> iterated = new HashMap<>();
        cache.forEach(entry -> iterated.put(entry.getKey(), entry.getValue()));
        assertThat(iterated).isEqualTo(entries);
        keys.forEach(key -> assertThat(cache.get(key)).isEqualTo(entries.get(key)));
        cache.removeAll(Set.copyOf(keys));
        assertThat(cache).isEmpty();
    }

    @Test
    void aTextIsItsOwnKeyInTheStore() {
        Caches.texts(manager, Caches.texts()).put("a", "1");
        assertThat(store.group("jcache.texts").keys()).containsExactly("a");
    }

    @Test
    void aDeclaredClassIsAllowed() {
        Cache<Place, Place> cache = manager.createCache(
                "places", new MutableConfiguration<Place, Place>().setTypes(Place.class, Place.class));
        cache.put(new Place("a", 1), new Place("b", 2));
        assertThat(cache.get(new Place("a", 1))).isEqualTo(new Place("b", 2));
    }

    @Test
    void aClassThatNobodyHasAllowedIsRefused() {
        Cache<String, Object> cache = manager.createCache("objects", new MutableConfiguration<>());
        assertThatExceptionOfType(CacheException.class)
                .isThrownBy(() -> cache.put("a", new Place("a", 1)))
                .withCauseInstanceOf(CodecException.class)
                .withMessageContaining(
                        "add '" + Place.class.getName() + "' or its package to 'dev.ttlstore.jcache.allowed-classes'");
        assertThat(cache.containsKey("a")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreConfiguration<String, String>().allow("*"))
                .withMessageContaining("must be the name of a class");
    }

    @Test
    void codecsReplaceSerialization() {
        Cache<Place, Integer> cache = manager.createCache(
                "coded",
                new StoreConfiguration<Place, Integer>()
                        .setKeyCodecFactory(Caches.always(new Codec<Place>() {
                            @Override
                            public byte[] encode(Place value) {
                                return Codec.text().encode(value.street() + "/" + value.number());
                            }

                            @Override
                            public Place decode(byte[] bytes) {
                                String[] parts = Codec.text().decode(bytes).split("/", -1);
                                return new Place(parts[0], Integer.parseInt(parts[1]));
                            }
                        }))
                        .setValueCodecFactory(Caches.always(new Codec<Integer>() {
                            @Override
                            public byte[] encode(Integer value) {
                                return Codec.longs().encode(value.longValue());
                            }

                            @Override
                            public Integer decode(byte[] bytes) {
                                return Codec.longs().decode(bytes).intValue();
                            }
                        })));
        cache.put(new Place("a", 1), 7);
        assertThat(cache.get(new Place("a", 1))).isEqualTo(7);
        assertThat(cache.iterator().next().getKey()).isEqualTo(new Place("a", 1));
    }

    @Test
    void whatAStorePassesOverCanBeReplaced() {
        try (Store lenient = Store.builder()
                .inMemory()
                .unreadableValues(UnreadableValues.ABSENT)
                .open()) {
            TextGroup raw = lenient.group("jcache.texts");
            List.of("a", "b", "c").forEach(key -> raw.put(key, "no value of a cache"));
            Cache<String, String> cache = Caches.texts(JCache.of(lenient), Caches.texts());
            assertThat(cache.get("a")).isNull();
            cache.put("a", "1");
            assertThat(cache.putIfAbsent("b", "2")).isTrue();
            cache.putAll(Map.of("c", "3"));
            assertThat(cache.getAll(Set.of("a", "b", "c"))).isEqualTo(Map.of("a", "1", "b", "2", "c", "3"));
        }
    }

    @Test
    void whatDidNotComeFromACacheIsNotRead() {
        Cache<String, String> cache = Caches.texts(manager, Caches.texts());
        store.group("jcache.texts").put("a", "no value of a cache");
        assertThatExceptionOfType(CacheException.class)
                .isThrownBy(() -> cache.get("a"))
                .withMessageContaining("was not written by a cache");
    }
}
