package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Caches in a store that several instances share. */
@Tag("postgresql")
@Tag("variant")
class StoreCacheOnPostgreSqlTests extends StoreCacheContract {

    private final String schema = TestDatabase.freshName();
    private final Store store = store();
    private final StoreCacheManager manager = manager(store);

    private Store store() {
        return Store.builder()
                .engine(PostgreSql.on(TestDatabase.dataSource()).schema(schema))
                .open();
    }

    private static StoreCacheManager manager(Store store) {
        JavaCodec codec = new JavaCodec(AllowedClasses.of(List.of()), "property", null);
        return new StoreCacheManager(
                store, name -> new StoreCacheSettings(Duration.ofMinutes(10), true, codec), List.of());
    }

    @Override
    StoreCache cache() {
        return manager.getCache("testCache");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void instancesShareTheCache() {
        try (Store second = store()) {
            StoreCacheManager other = manager(second);
            StoreCache cache = other.getCache("testCache");
            cache().put("key", "value");
            assertThat(cache.get("key", String.class)).isEqualTo("value");
            cache.evict("key");
            assertThat(cache().get("key")).isNull();
        }
    }

    /** By the server's clock, which alone knows how long an entry has left. */
    @Test
    void aReadExtendsAnEntry() {
        JavaCodec codec = new JavaCodec(AllowedClasses.of(List.of()), "property", null);
        StoreCache cache = new StoreCacheManager(
                        store,
                        name -> new StoreCacheSettings(Duration.ofHours(3), Duration.ofHours(1), true, codec),
                        List.of())
                .getCache("testCache");
        cache.put("key", "value");
        assertThat(cache.getNativeCache().expire("key", Duration.ofMinutes(30))).isTrue();
        assertThat(cache.get("key", String.class)).isEqualTo("value");
        assertThat(cache.getNativeCache().entry("key").orElseThrow().ttl())
                .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }
}
