package dev.ttlstore.jcache;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Expiry by JCache's policies, to the millisecond. */
class CacheExpiryTests {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final CacheManager manager = JCache.of(store);

    @AfterEach
    void close() {
        manager.close();
        store.close();
    }

    private Cache<String, String> cache(Factory<? extends ExpiryPolicy> policy) {
        return manager.createCache("texts", Caches.texts().setExpiryPolicyFactory(policy));
    }

    private void pass(long millis) {
        clock.advance(Duration.ofMillis(millis));
    }

    /** Old results of queries would count as current. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "default-update-timestamps-region",
                "shop.default-update-timestamps-region",
                "org.hibernate.cache.spi.UpdateTimestampsCache"
            })
    void theTimesOfHibernatesUpdatesNeverExpire(String name) {
        for (Factory<? extends ExpiryPolicy> policy : List.of(
                CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_DAY),
                AccessedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ONE_DAY))) {
            assertThatThrownBy(() -> manager.createCache(name, Caches.numbers().setExpiryPolicyFactory(policy)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("EternalExpiryPolicy");
        }
        Cache<String, Long> times = manager.createCache(name, Caches.numbers());
        times.put("book", 1L);
        clock.advance(Duration.ofDays(10_000));
        assertThat(times.get("book")).isEqualTo(1L);
    }

    @Test
    @Promise({1, 2})
    void anEntryEndsAtTheMillisecondThatItsCreationSays() {
        Cache<String, String> cache = cache(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.put("a", "1");
        pass(50);
        cache.put("a", "2");
        assertThat(cache.get("a")).isEqualTo("2");
        pass(49);
        assertThat(cache.get("a")).isEqualTo("2");
        pass(1);
        assertThat(cache.get("a")).isNull();
        assertThat(cache.containsKey("a")).isFalse();
        assertThat(cache.getAll(Set.of("a"))).isEmpty();
        assertThat(cache.iterator().hasNext()).isFalse();
        assertThat(cache.remove("a")).isFalse();
        assertThat(cache.putIfAbsent("a", "3")).isTrue();
    }

    @Test
    void aChangeProlongsTheLifeThatIsCountedFromIt() {
        Cache<String, String> cache = cache(ModifiedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.put("a", "1");
        pass(99);
        assertThat(cache.replace("a", "1", "2")).isTrue();
        pass(99);
        assertThat(cache.get("a")).isEqualTo("2");
        pass(1);
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void aReadProlongsTheLifeThatIsCountedFromIt() {
        Cache<String, String> cache = cache(AccessedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.putAll(Map.of("a", "1", "b", "1", "c", "1", "d", "1"));
        pass(99);
        assertThat(cache.get("a")).isEqualTo("1");
        assertThat(cache.getAll(Set.of("b"))).containsEntry("b", "1");
        assertThat(cache.<String>invoke("c", (entry, arguments) -> entry.getValue()))
                .isEqualTo("1");
        pass(99);
        assertThat(cache.containsKey("a")).isTrue();
        assertThat(cache.containsKey("b")).isTrue();
        assertThat(cache.containsKey("c")).isTrue();
        assertThat(cache.containsKey("d")).isFalse();
        pass(1);
        assertThat(cache).isEmpty();
    }

    @Test
    void aPolicyOfTouchesCountsFromReadsAndChanges() {
        Cache<String, String> cache = cache(TouchedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.put("a", "1");
        for (int i = 0; i < 3; i++) {
            pass(99);
            assertThat(cache.get("a")).isEqualTo("1");
            pass(99);
            cache.put("a", "1");
        }
        pass(100);
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void aDurationThatNobodyLivesToSeeIsForEver() {
        for (TimeUnit unit : List.of(TimeUnit.MILLISECONDS, TimeUnit.SECONDS, TimeUnit.DAYS)) {
            var policy = CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(unit, Long.MAX_VALUE));
            Cache<String, String> cache =
                    manager.createCache(unit.name(), Caches.texts().setExpiryPolicyFactory(policy));
            cache.put("a", "1");
            pass(Duration.ofDays(365).toMillis());
            assertThat(cache.get("a")).as(unit.name()).isEqualTo("1");
        }
    }

    @Test
    void aStoreKnowsWhenAnEntryEnds() {
        Cache<String, String> cache = cache(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.put("a", "1");
        Instant end = store.expiring(clock.instant(), clock.instant().plusMillis(101))
                .findFirst()
                .orElseThrow()
                .expiresAt();
        assertThat(end).isEqualTo(clock.instant().plusMillis(100));
    }

    @Test
    void aPolicyThatThrowsKeepsTheEntry() {
        Cache<String, String> cache = cache(Caches.always(new ExpiryPolicy() {
            @Override
            public javax.cache.expiry.Duration getExpiryForCreation() {
                throw new IllegalStateException("creation");
            }

            @Override
            public javax.cache.expiry.Duration getExpiryForAccess() {
                throw new IllegalStateException("access");
            }

            @Override
            public javax.cache.expiry.Duration getExpiryForUpdate() {
                throw new IllegalStateException("update");
            }
        }));
        cache.put("a", "1");
        cache.put("a", "2");
        assertThat(cache.get("a")).isEqualTo("2");
    }

    @Test
    @Promise({16, 17})
    void aListenerGetsAnExpiredEntryWithItsValueAlthoughNobodyAsksForIt() {
        Recorder recorder = new Recorder();
        Cache<String, String> cache = cache(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        cache.registerCacheEntryListener(Caches.listener(recorder, true));
        cache.put("a", "1");
        pass(100);
        store.purgeExpired();
        Awaitility.await().until(() -> recorder.events().size() == 2);
        assertThat(recorder.events()).containsExactly("CREATED a null 1", "EXPIRED a 1 1");
    }

    @Test
    @Promise(17)
    void anExpiryThatNobodyHasHandledWaitsForTheNextListener() {
        Cache<String, String> first = cache(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        first.registerCacheEntryListener(Caches.listener(new Recorder(), true));
        first.put("a", "1");
        first.close();
        pass(100);
        store.purgeExpired();

        Recorder recorder = new Recorder();
        Cache<String, String> second = cache(CreatedExpiryPolicy.factoryOf(Caches.millis(100)));
        second.registerCacheEntryListener(Caches.listener(recorder, true));
        Awaitility.await().until(() -> !recorder.events().isEmpty());
        assertThat(recorder.events()).containsExactly("EXPIRED a 1 1");
    }
}
