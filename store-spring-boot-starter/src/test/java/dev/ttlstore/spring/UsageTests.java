package dev.ttlstore.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;

import org.hibernate.spi.NavigablePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.jcache.JCache;
import dev.ttlstore.jcache.StoreConfiguration;
import dev.ttlstore.spring.json.JacksonCodecFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Examples of the documentation: how an application uses the store. */
class UsageTests {

    private static final String MAIL = "ann@example.org";

    private final Store store = Store.builder()
            .inMemory()
            .codecs(new JacksonCodecFactory(JacksonCodecFactory.defaults().build()))
            .open();
    private final Directory directory = new Directory();
    private final Queue<Object> shown = new ConcurrentLinkedQueue<>();

    record Invite(String mail) {}

    record Member(String mail) {}

    record Profile(String name) {}

    private static final class Directory {

        private int loads;

        Profile load(String name) {
            loads++;
            return new Profile(name);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Profile profileOfAnn() {
        Group<Profile> profiles = store.group("profiles", Profile.class);
        Profile profile = profiles.getOrPut("ann", Duration.ofMinutes(10), () -> directory.load("ann"));
        return profile;
    }

    @Test
    void aValueIsLoadedOnce() {
        assertThat(profileOfAnn()).isEqualTo(profileOfAnn()).isEqualTo(new Profile("ann"));
        assertThat(directory.loads).isEqualTo(1);
    }

    private boolean isAllowed() {
        Counters calls = store.counters("calls");
        boolean allowed = calls.increment("ann", 1, Duration.ofMinutes(1)) <= 100;
        return allowed;
    }

    @Test
    void aCounterLimitsTheRate() {
        for (int i = 0; i < 100; i++) {
            assertThat(isAllowed()).isTrue();
        }
        assertThat(isAllowed()).isFalse();
    }

    @Test
    void aTransactionTakesAndAdds() {
        Group<Invite> invites = store.group("invites", Invite.class);
        String key = invites.add(new Invite(MAIL));
        String member = store.transact(tx -> {
            Invite invite = tx.group("invites", Invite.class).take(key).orElseThrow();
            return tx.group("members", Member.class).add(new Member(invite.mail()));
        });
        assertThat(invites.get(key)).isEmpty();
        assertThat(store.group("members", Member.class).get(member)).contains(new Member(MAIL));
    }

    private void show(Object event) {
        shown.add(event);
    }

    private void showEverything() {
        shown.add("everything");
    }

    private void showChanges() {
        try (Watch watch = store.watch("invites")) {
            for (WatchSignal signal : watch) {
                if (signal instanceof WatchSignal.Change change) {
                    show(change.event());
                } else {
                    showEverything();
                }
            }
        }
    }

    @Test
    void aWatchShowsChangesUntilItIsClosed() throws Exception {
        CompletableFuture<Void> reader = CompletableFuture.runAsync(this::showChanges);
        await().until(() -> {
            store.group("invites", Invite.class).put("key", new Invite(MAIL));
            return !shown.isEmpty();
        });
        store.closeWatches();
        reader.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aStandardCacheUsesTheStore() {
        CacheManager manager = JCache.of(store);
        Cache<String, Object> carts =
                manager.createCache("carts", new StoreConfiguration<String, Object>().allow("com.example.shop.**"));
        carts.put("ann", List.of("apples"));
        assertThat(carts.get("ann")).isEqualTo(List.of("apples"));
        manager.close();
    }

    Map<String, Object> lookAt(String group, String key) {
        StoredEntry entry = store.stored().entry(group, key).orElseThrow();
        return Map.of(
                "createdAt", entry.createdAt(),
                "expiresAt", String.valueOf(entry.expiresAt()),
                "bytes", entry.value().length);
    }

    @Test
    void anOperatorSeesAnEntryWithoutItsValue() {
        store.group("config").put("theme", "dark");
        assertThat(lookAt("config", "theme"))
                .containsOnlyKeys("createdAt", "expiresAt", "bytes")
                .containsEntry("expiresAt", "null")
                .containsEntry("bytes", 4);
    }

    CacheManager secondLevelCaches(Store store) {
        Properties properties = new Properties();
        properties.setProperty("dev.ttlstore.jcache.allowed-classes", "org.hibernate.**");
        return JCache.of(store, getClass().getClassLoader(), properties);
    }

    @Test
    void aStandardCacheOfHibernateMayHaveItsClasses() {
        try (CacheManager manager = secondLevelCaches(store)) {
            Cache<Object, Object> region = manager.createCache("region", new MutableConfiguration<>());
            region.put("path", new NavigablePath("book"));
            assertThat(region.get("path")).isEqualTo(new NavigablePath("book"));
        }
        try (CacheManager manager = JCache.of(store)) {
            Cache<Object, Object> region = manager.createCache("other", new MutableConfiguration<>());
            assertThatExceptionOfType(CacheException.class)
                    .isThrownBy(() -> region.put("path", new NavigablePath("book")))
                    .withMessageContaining("allowed-classes");
        }
    }
}
