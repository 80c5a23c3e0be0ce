package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A transaction reads its own writes, whichever way it reads, and every operation means in it what it means outside. */
@Promise(8)
abstract class TransactionReadsContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    @Test
    void ownWritesAreReadByEveryMethod() {
        group().putAll(Map.of("a", "1", "b", "2", "c", "3", "d", "4"));
        store().group("gone").put("key", "value");
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.put("b", "two", TTL);
            group.delete("c");
            group.put("e", "5");
            group.put("f", "6");
            group.delete("f");
            tx.group("gone").delete("key");
            tx.group("grown").put("key", "value");

            assertThat(group.get("b")).contains("two");
            assertThat(group.get("c")).isEmpty();
            Entry<String> entry = group.entry("b").orElseThrow();
            assertThat(entry.ttl()).isEqualTo(TTL);
            assertThat(entry.createdAt()).isEqualTo(MovableClock.START);
            assertThat(group.contains("e")).isTrue();
            assertThat(group.contains("f")).isFalse();
            assertThat(group.count()).isEqualTo(4);
            Map<String, String> all = new TreeMap<>(Map.of("a", "1", "b", "two", "d", "4", "e", "5"));
            assertThat(group.getAll()).isEqualTo(all);
            assertThat(group.getAll(List.of("b", "c", "e", "f", "x"))).isEqualTo(Map.of("b", "two", "e", "5"));
            assertThat(group.keys()).containsExactly("a", "b", "d", "e");
            assertThat(group.entries().map(Entry::value)).containsExactly("1", "two", "4", "5");
            assertThat(keys(group, KeyRange.between("b", "e"))).containsExactly("b", "d");
            assertThat(keys(group, KeyRange.from("b").reversed())).containsExactly("e", "d", "b");
            assertThat(keys(group, KeyRange.to("e").reversed().limit(2))).containsExactly("d", "b");
            assertThat(keys(group, KeyRange.prefix("e"))).containsExactly("e");
            assertThat(group.page("a", 2)).extracting(Entry::key).containsExactly("b", "d");
            assertThat(group.page("d", 2)).extracting(Entry::key).containsExactly("e");
            assertThat(tx.groups()).containsExactly("group", "grown");
            assertThat(tx.groups("gr")).containsExactly("group", "grown");
            assertThat(tx.groups("gone")).isEmpty();
            assertThat(tx.count()).isEqualTo(5);
            assertThat(tx.count("gro")).isEqualTo(5);
            assertThat(tx.count("grow")).isEqualTo(1);
            return true;
        });
    }

    private static List<String> keys(Group<String> group, KeyRange range) {
        return group.entries(range).map(Entry::key).toList();
    }

    @Test
    void ownWritesAreFoundBetweenAndBehindManyPagesOfCommittedRows() {
        TreeMap<String, String> model = new TreeMap<>();
        for (int i = 0; i < 1_500; i++) {
            model.put("%04d".formatted(i), "old");
        }
        group().putAll(model);
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            for (int i = 0; i < 1_500; i += 3) {
                group.put("%04d+".formatted(i), "new");
                model.put("%04d+".formatted(i), "new");
            }
            for (int i = 300; i < 1_200; i++) { // more than a page in a row
                group.delete("%04d".formatted(i));
                model.remove("%04d".formatted(i));
            }
            for (int i = 0; i < 700; i++) { // more than a page behind the last
                group.put("9%04d".formatted(i), "new");
                model.put("9%04d".formatted(i), "new");
            }
            assertThat(group.getAll()).containsExactlyEntriesOf(model);
            assertThat(group.keys()).containsExactlyElementsOf(model.keySet());
            assertThat(keys(group, KeyRange.all().reversed())).containsExactlyElementsOf(model.descendingKeySet());
            assertThat(keys(group, KeyRange.between("0250", "1300")))
                    .containsExactlyElementsOf(model.subMap("0250", "1300").keySet());
            assertThat(keys(group, KeyRange.between("0250", "1300").reversed().limit(333)))
                    .containsExactlyElementsOf(model.subMap("0250", true, "1300", false).descendingKeySet().stream()
                            .limit(333)
                            .toList());
            assertThat(group.count()).isEqualTo(model.size());
            assertThat(pagesOf(group, 100)).containsExactlyElementsOf(model.keySet());
            return true;
        });
        assertThat(group().getAll()).containsExactlyEntriesOf(model);
    }

    private static List<String> pagesOf(Group<String> group, int limit) {
        List<String> keys = new ArrayList<>();
        List<Entry<String>> page = group.page(null, limit);
        while (!page.isEmpty()) {
            page.forEach(entry -> keys.add(entry.key()));
            page = group.page(page.get(page.size() - 1).key(), limit);
        }
        return keys;
    }

    @Test
    void aWalkMayWriteToWhatItWalksOver() {
        fill(group(), 1_200, "%04d"::formatted);
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.keys().forEach(group::delete);
            assertThat(group.keys()).isEmpty();
            return true;
        });
        assertThat(group().count()).isZero();
    }

    @Test
    void groupsAreDeletedWithOwnWrites() {
        fill(store().group("a1"), 1_300, "%04d"::formatted);
        store().group("b").put("key", "value");
        store().transact(tx -> {
            tx.group("a1").delete("0000");
            tx.group("a1").put("new", "value");
            tx.group("a2").put("new", "value");
            assertThat(tx.deletePrefix("a")).isEqualTo(1_301);
            assertThat(tx.deletePrefix("a")).isZero();
            assertThat(tx.groups()).containsExactly("b");
            tx.group("a1").put("again", "value");
            assertThat(tx.group("b").clear()).isEqualTo(1);
            assertThat(tx.deleteGroup("b")).isZero();
            return true;
        });
        assertThat(store().groups()).containsExactly("a1");
        assertThat(store().group("a1").keys()).containsExactly("again");
    }

    @Test
    void conditionalWritesSeeOwnWrites() {
        group().put("taken", "value");
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            assertThat(group.take("taken")).contains("value");
            assertThat(group.take("taken")).isEmpty();
            assertThat(group.putIfAbsent("taken", "again")).isPresent();
            assertThat(group.putIfAbsent("taken", "third")).isEmpty();
            assertThat(group.replace("taken", "value", "no")).isEmpty();
            assertThat(group.replace("taken", "again", "yes")).isPresent();
            long version = group.entry("taken").orElseThrow().version();
            assertThat(group.replaceVersion("taken", version, "versioned")).isPresent();
            assertThat(group.deleteVersion("taken", version)).isFalse();
            assertThat(group.update("taken", String::toUpperCase)).contains("VERSIONED");
            assertThat(group.getOrPut("taken", TTL, () -> "loaded")).isEqualTo("VERSIONED");
            assertThat(group.getOrPut("loaded", TTL, () -> "loaded")).isEqualTo("loaded");
            assertThat(group.delete("loaded", "other")).isFalse();
            assertThat(group.persist("loaded")).isTrue();
            assertThat(group.expire("taken", TTL)).isTrue();
            Counters counters = tx.counters("counters");
            assertThat(counters.increment("key", 2, TTL)).isEqualTo(2);
            assertThat(counters.increment("key", 3, Duration.ofDays(1))).isEqualTo(5);
            return true;
        });
        advanceMillis(10);
        assertThat(group().getAll()).containsExactly(Map.entry("loaded", "loaded"));
        assertThat(store().counters("counters").count()).isZero();
    }

    @Test
    @Promise({1, 8})
    void whatHasExpiredIsNotSeen() {
        group().put("expired", "value", TTL);
        group().put("permanent", "value");
        advanceMillis(10);
        Recorder recorder = record();
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            assertThat(group.get("expired")).isEmpty();
            assertThat(group.count()).isEqualTo(1);
            assertThat(group.keys()).containsExactly("permanent");
            assertThat(group.take("expired")).isEmpty();
            assertThat(group.putIfAbsent("expired", "anew")).isPresent();
            assertThat(tx.count()).isEqualTo(2);
            return true;
        });
        assertThat(recorder.events(EntryExpired.class)).hasSize(1);
        assertThat(recorder.events(EntryPut.class)).singleElement().satisfies(put -> assertThat(put.created())
                .isTrue());
    }

    @Test
    @Promise({7, 8})
    void allIsExpiredAndSweptWithOwnWrites() {
        fill(group(), 600, "old%03d"::formatted);
        advanceMillis(100);
        store().transact(tx -> {
            TextGroup group = tx.group("group");
            group.put("new", "value");
            assertThat(group.sweep(Duration.ofMillis(50))).isEqualTo(600);
            assertThat(group.keys()).containsExactly("new");
            group.put("newer", "value");
            assertThat(group.expireAll(TTL)).isEqualTo(2);
            assertThat(group.expireAllNow()).isEqualTo(2);
            assertThat(group.count()).isZero();
            assertThat(tx.groups()).isEmpty();
            group.put("newer", "again");
            assertThat(group.getAll()).containsExactly(Map.entry("newer", "again"));
            return true;
        });
        assertThat(group().getAll()).containsExactly(Map.entry("newer", "again"));
        assertThat(store().expired(Instant.MIN, Instant.MAX).map(RetainedEntry::key))
                .containsExactly("new");
    }

    @Test
    void theTimeOfATransactionStandsStill() {
        group().put("key", "value", TTL);
        boolean seen = store().transact(tx -> {
            advanceMillis(10);
            return tx.group("group").contains("key");
        });
        assertThat(seen).isTrue();
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void anotherThreadThatIsLoadingAKeyDoesNotHoldUpATransactionThatLoadsIt() {
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch inTransaction = new CountDownLatch(1);
        Future<String> other = Threads.start(thread -> group().getOrPut("key", TTL, () -> {
            loading.countDown();
            Threads.await(inTransaction);
            return "other";
        }));
        Threads.await(loading);
        Future<String> own = Threads.start(thread -> store().transact(tx -> {
            inTransaction.countDown();
            return tx.group("group").getOrPut("key", TTL, () -> "own");
        }));
        assertThat(Threads.get(own)).isEqualTo("own");
        assertThat(Threads.get(other)).isEqualTo("own");
    }

    @Test
    @Promise({7, 8})
    void expiriesAreToldAsTheyWereCommitted() {
        group().put("key", "value", TTL);
        Optional<Instant> told = store().transact((Transaction tx) -> {
            tx.group("group").expire("key", Duration.ofHours(1));
            Stream<Instant> expiries = tx.expiring(Instant.MIN, Instant.MAX).map(entry -> entry.expiresAt());
            return expiries.findFirst();
        });
        assertThat(told).contains(MovableClock.START.plusMillis(10));
    }
}
