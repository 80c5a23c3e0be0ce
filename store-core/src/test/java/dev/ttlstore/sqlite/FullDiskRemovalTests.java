package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What frees room on a full disk: deletes, ends and purges. Skipped where this user may not mount one. */
@Promise(23)
@EnabledOnOs(OS.LINUX)
class FullDiskRemovalTests extends SmallDiskStore {

    @Test
    @Promise({4, 23})
    void onAFullDiskWhatFreesRoomIsDoneAndWhatNeedsSomeIsRefused() throws IOException {
        try (Store store = settings().open()) {
            for (int i = 0; i < 20; i++) {
                store.group("other").put("key" + i, VALUE, TTL.multipliedBy(3));
                store.group("third").put("key" + i, VALUE);
            }
            int written = fill(store.group("group"), 0);
            disk().fill();
            TextGroup group = store.group("group");
            int key = 0;
            for (; key < 20; key++) {
                assertThat(group.delete("key" + key)).isTrue();
                disk().fill(); // what was freed, too
                assertRefused(() -> group.put("more", VALUE));
            }
            assertThat(group.take("key" + key++)).contains(VALUE);
            assertThat(group.expire("key" + key, TTL.multipliedBy(2))).isTrue();
            assertThat(group.persist("key" + key)).isTrue();
            group.put("key" + key++, "shorter");
            assertThat(store.group("other").expireAllNow()).isPositive();
            assertThat(store.purgeExpired()).isPositive();
            assertThat(store.group("third").clear()).isPositive();
            assertThat(group.count()).isEqualTo(written - 21);
            clock.advance(TTL);
            assertThat(store.purgeExpired()).isEqualTo(written - 22);
            assertThat(store.count()).isEqualTo(1);
            disk().fill();
            assertRefused(store::check);
            assertThat(store.deleteGroup("group")).isEqualTo(1);
        }
        try (Store store = settings().open()) {
            assertThat(store.count()).isZero();
        }
    }

    @Test
    @Tag("crash")
    @Promise(23)
    void groupsOfAnySizeAreClearedOnAFullDiskAndAreToldEntryByEntryThen() throws IOException {
        try (Store store = settings().open()) {
            for (int j = 0; j < 100; j++) {
                for (int i = 0; i < 3; i++) {
                    putSome(store.group("large" + i), j);
                }
            }
            putSome(store.group("small"), 0);
            int written = fill(store.group("group"), 0);
            disk().fill();
            assertThat(store.group("small").clear()).isEqualTo(100);
            disk().fill();
            Map<String, Integer> deleted = new ConcurrentHashMap<>();
            Subscription unused = store.onChange(event -> {
                if (event instanceof EntryDeleted entry) {
                    deleted.merge(entry.group(), 1, Integer::sum);
                }
            });
            // All pages of the group would be written at once, which is more than is in reserve on so small a disk.
            assertThat(store.group("large1").clear()).isEqualTo(10_000);
            assertThat(deleted).containsExactly(Map.entry("large1", 10_000));
            disk().fill();
            assertThat(store.group("large0").async().clear().join()).isEqualTo(10_000);
            assertThat(deleted).containsEntry("large0", 10_000);
            disk().fill();
            clock.advance(Duration.ofSeconds(2));
            assertThat(store.group("large2").sweep(Duration.ofSeconds(1))).isEqualTo(10_000);
            disk().fill();
            assertThat(store.deletePrefix("")).isEqualTo(written);
            assertThat(store.count()).isZero();
        }
    }

    @Test
    @Promise({6, 23})
    void whatIsSpreadOverTheFileIsPurgedOnAFullDisk() throws IOException {
        try (Store store = settings().open()) {
            for (int i = 0; i < 5_000; i++) {
                String key = "key" + i * 7919 % 5_000;
                store.group("lasting" + i % 7).put(key, "x".repeat(1_000));
                if (i % 5 == 0) {
                    store.group("expiring").put(key, "x".repeat(100), TTL.plusMillis(i * 31 % 1_000));
                }
            }
            int unused = fill(store.group("group"), 0);
            disk().fill();
            clock.advance(TTL.plusSeconds(2));
            assertThat(store.purgeExpired()).isGreaterThan(1_000);
            assertThat(store.count()).isEqualTo(5_000);
        }
    }

    @ParameterizedTest
    @Tag("crash")
    @CsvSource({"2, 3000, false", "8, 300, true", "40, 3000, false"})
    @Promise({6, 23})
    void onADiskOfAnySizeAllIsRemovedByEachOfTheWays(int megabytes, int bytes, boolean retaining) throws IOException {
        try (SmallDisk disk = another(megabytes)) {
            // Otherwise a purge that starts by itself would use the reserve at the moment when the disk is filled.
            StoreBuilder settings = settings(disk.file("store.db")).expiryOnTime(false);
            if (retaining) {
                settings.retention(TTL.multipliedBy(100));
            }
            Map<String, String> some = new HashMap<>();
            long rounds = 0;
            try (Store store = settings.open()) {
                try {
                    for (; ; rounds++) {
                        some.clear();
                        for (int i = 0; i < 20; i++) {
                            some.put("key" + (rounds * 20 + i) * 7919 % 1_000_003, "x".repeat(bytes));
                        }
                        for (int i = 0; i < 4; i++) {
                            store.group("group" + i).putAll(some, TTL.multipliedBy(i + 1));
                        }
                    }
                } catch (StoreFullException e) {
                    assertThat(rounds).isPositive();
                }
                disk.fill();
                assertThat(store.group("group1").clear()).isGreaterThanOrEqualTo(rounds * 20);
            }
            disk.fill();
            try (Store store = settings.open()) {
                clock.advance(TTL.plusSeconds(1)); // what is retained takes the room of what was cleared
                assertThat(store.purgeExpired()).isGreaterThanOrEqualTo(rounds * 20);
                disk.fill();
                assertThat(store.group("group2").expireAllNow()).isGreaterThanOrEqualTo(rounds * 20);
                disk.fill();
                assertThat(store.deletePrefix("group2")).isZero();
                disk.fill();
                assertThat(store.deletePrefix("group")).isGreaterThanOrEqualTo(rounds * 20);
                assertThat(store.count()).isZero();
                disk.fill();
                clock.advance(TTL.multipliedBy(200));
                assertThat(store.purgeExpired()).isZero();
                assertThat(store.expired(Instant.EPOCH, clock.instant())).isEmpty();
            }
        }
    }

    /** An end takes room in the index of expiries. */
    @ParameterizedTest
    @Tag("crash")
    @CsvSource({"4", "16"})
    @Promise(23)
    void endsForEntriesThatHadNoneLeaveRoomForRemovals(int megabytes) throws IOException {
        try (SmallDisk disk = another(megabytes)) {
            StoreBuilder settings = settings(disk.file("store.db"));
            try (Store store = settings.open()) {
                assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> {
                    for (int part = 0; ; part++) {
                        putSome(store.group("group" + part % 4), part);
                    }
                });
                for (int i = 0; i < 3; i++) {
                    Duration ttl = TTL.plusMinutes(i);
                    assertThatExceptionOfType(StoreFullException.class)
                            .isThrownBy(() -> store.group("group0").expireAll(ttl));
                }
                disk.fill();
                assertThat(store.group("group1").delete("key1.0")).isTrue();
                assertThat(store.group("group1").clear()).isPositive();
                disk.fill();
                clock.advance(TTL.multipliedBy(2));
                long expired = store.purgeExpired();
                assertThat(expired).isPositive();
                assertThat(store.deletePrefix("")).isPositive();
                assertThat(store.count()).isZero();
            }
        }
    }

    @Test
    @Promise({8, 23})
    void whenThereIsRoomAgainAGroupIsClearedAtOnce() throws IOException {
        try (Store store = settings().open()) {
            for (int i = 0; i < 10; i++) {
                putSome(store.group("large"), i);
            }
            Path ballast = Files.write(disk().file("ballast"), new byte[9_000_000]);
            int written = fill(store.group("group"), 0);
            disk().fill();
            for (int i = 0; i < written; i++) {
                assertThat(store.group("group").delete("key" + i)).isTrue();
                disk().fill(); // what was freed, too
            }
            Files.delete(ballast);
            store.group("group").put("key", "value");
            List<StoreEvent> events = new CopyOnWriteArrayList<>();
            Subscription unused = store.onChange(events::add);
            assertThat(store.group("large").clear()).isEqualTo(1_000);
            assertThat(events).singleElement().isInstanceOf(GroupDeleted.class);
        }
    }

    private static void putSome(TextGroup group, int part) {
        Map<String, String> some = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            some.put("key" + part + "." + i, "x".repeat(100));
        }
        group.putAll(some);
    }

    @Test
    @Tag("crash")
    @Promise({17, 23})
    void whatExpiresOnAFullDiskIsHandled() throws IOException {
        try (Store store = settings().open()) {
            AtomicInteger told = new AtomicInteger();
            Subscription unused = store.onExpired("subscriber", "group", entry -> told.incrementAndGet());
            int written = fill(store.group("group"), 0);
            disk().fill();
            clock.advance(TTL);
            assertThat(store.purgeExpired()).isBetween(0L, (long) written); // the purge on time removes others
            Awaitility.await().until(() -> told.get() >= written);
        }
    }
}
