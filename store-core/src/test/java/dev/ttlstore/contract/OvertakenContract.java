package dev.ttlstore.contract;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A write that is decided before an entry expires, and committed after that. */
@Promise(5)
abstract class OvertakenContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Writes to a live entry that leave nothing where the entry has expired; each answers whether there was one. They get its version. */
    private static List<Arguments> renewals() {
        return List.of(
                renewal("expire", (group, version) -> group.expire("key", HOUR)),
                renewal("persist", (group, version) -> group.persist("key")),
                renewal("replace", (group, version) -> group.replace("key", "value", "new", HOUR)
                        .isPresent()),
                renewal("replaceVersion", (group, version) -> group.replaceVersion("key", version, "new", HOUR)
                        .isPresent()),
                renewal("update", (group, version) -> group.update("key", value -> "new")
                        .isPresent()));
    }

    private static Arguments renewal(String name, BiPredicate<TextGroup, Long> renewal) {
        return arguments(named(name, renewal));
    }

    private static Stream<Arguments> renewalsByClockRead() {
        return renewals().stream()
                .flatMap(renewal -> IntStream.rangeClosed(2, 3).mapToObj(read -> arguments(renewal.get()[0], read)));
    }

    @ParameterizedTest
    @MethodSource("renewals")
    void whatATransactionRenewsDoesNotComeBackWhenOthersHaveSeenItExpired(BiPredicate<TextGroup, Long> renewal) {
        long version = group().put("key", "value", TTL);
        Recorder recorder = record();
        AtomicInteger runs = new AtomicInteger();
        boolean renewed = store().transact(tx -> {
            boolean live = renewal.test(tx.group("group"), version);
            if (runs.incrementAndGet() == 1) {
                assertThat(live).isTrue();
                clock.advance(TTL);
                assertThat(seenByAnother()).isFalse();
            }
            return live;
        });
        assertThat(renewed).isFalse();
        assertThat(runs).hasValue(2);
        assertThat(group().contains("key")).isFalse();
        store().purgeExpired();
        assertThat(recorder.events()).singleElement().isInstanceOf(EntryExpired.class);
    }

    private boolean seenByAnother() {
        Future<Boolean> seen = Threads.start(thread -> group().contains("key"));
        return Threads.get(seen);
    }

    @Test
    @Promise({5, 13})
    void anEntryThatExpiresUnderATransactionWhichPutsAnotherInItsPlaceExpiresFirst() {
        group().put("key", "value", TTL);
        Recorder recorder = record();
        store().transact(tx -> {
            tx.group("group").put("key", "new");
            clock.set(MovableClock.START.plus(TTL));
            return true;
        });
        assertThat(group().entry("key").map(Entry::createdAt)).contains(clock.instant());
        assertThat(recorder.events()).hasExactlyElementsOfTypes(EntryExpired.class, EntryPut.class);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::created)
                .containsExactly(true);
    }

    @Test
    void aTransactionRunsAgainForEachEntryThatExpiresUnderIt() {
        for (int i = 1; i <= 5; i++) {
            group().put("key" + i, "value", TTL.multipliedBy(i));
        }
        AtomicInteger runs = new AtomicInteger();
        long renewed = store().transact(tx -> {
            runs.incrementAndGet();
            long live = tx.group("group").expireAll(HOUR);
            clock.advance(TTL);
            return live;
        });
        assertThat(renewed).isZero();
        assertThat(runs).hasValue(6);
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise(8)
    void aTransactionThatOnlyReadsAnEntryIsOfTheMomentAtWhichItBegan() {
        group().put("key", "value", TTL);
        AtomicInteger runs = new AtomicInteger();
        store().transact(tx -> {
            runs.incrementAndGet();
            clock.advance(TTL);
            assertThat(tx.group("group").get("key")).contains("value");
            return tx.group("other").putIfAbsent("key", "value");
        });
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("renewalsByClockRead")
    void aWriteIsDecidedAgainWhenItsEntryExpiresBeforeTheCommit(BiPredicate<TextGroup, Long> renewal, int read) {
        assumeThat(contract().decidesUnderLock()).isFalse(); // its readers wait for the commit instead
        AtomicLong reads = new AtomicLong(Long.MIN_VALUE);
        InstantSource hooked = () -> {
            if (reads.incrementAndGet() == read) {
                clock.advance(TTL);
            }
            return clock.instant();
        };
        open(settings().clock(hooked));
        long version = group().put("key", "value", TTL);
        Recorder recorder = record();
        reads.set(0);
        assertThat(renewal.test(group(), version)).isFalse();
        assertThat(reads.get()).isGreaterThanOrEqualTo(read);
        assertThat(group().contains("key")).isFalse();
        store().purgeExpired();
        assertThat(recorder.events()).singleElement().isInstanceOf(EntryExpired.class);
    }

    @Test
    @Promise(2)
    void aTtlCountsFromTheCommitOfItsTransaction() {
        group().put("renewed", "value", HOUR);
        Recorder recorder = record();
        store().transact(tx -> {
            tx.group("group").put("put", "value", TTL);
            tx.group("group").expire("renewed", TTL);
            tx.group("group").put("until", "value", clock.instant().plus(TTL));
            clock.advance(Duration.ofMinutes(1));
            return true;
        });
        assertThat(group().get("put")).contains("value");
        assertThat(group().get("renewed")).contains("value");
        assertThat(group().contains("until")).isFalse();
        assertThat(recorder.events(EntryPut.class).get(0).expiresAt())
                .isEqualTo(clock.instant().plus(TTL));
        clock.advance(TTL);
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise(2)
    void aTtlCountsFromTheCommitAlsoOfAnEntryThatIsTouchedAgain() {
        group().put("renewed", "value", HOUR);
        store().transact(tx -> {
            tx.group("group").put("put", "value", TTL);
            tx.group("group").update("put", value -> "new");
            tx.group("group").expire("renewed", TTL);
            tx.group("group").update("renewed", value -> "new");
            tx.counters("counters").increment("key", 1, TTL);
            tx.counters("counters").increment("key", 1, TTL);
            clock.advance(Duration.ofMinutes(1));
            return true;
        });
        assertThat(group().getAll().values()).containsExactly("new", "new");
        assertThat(store().counters("counters").get("key")).contains(2L);
        clock.advance(TTL);
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise(2)
    void anUpdateInATransactionKeepsTheExpiryToTheMillisecond() {
        group().put("key", "value", HOUR);
        store().transact(tx -> {
            clock.advance(TTL);
            return tx.group("group").update("key", value -> "new");
        });
        assertThat(group().entry("key").map(Entry::expiresAt)).contains(MovableClock.START.plus(HOUR));
    }

    /** Ways to look for the entry; each answers whether it was found. */
    private static List<Predicate<Store>> looks() {
        return List.of(
                store -> store.group("group").get("key").isPresent(),
                store -> store.group("group").contains("key"),
                store -> store.group("group").getAll(List.of("key", "other")).containsKey("key"),
                store -> store.group("group").entries(List.of("key", "other")).containsKey("key"),
                store -> store.group("group").getAll().containsKey("key"),
                store -> store.group("group").count() == 1,
                store -> store.count() == 1,
                store -> store.groups().toList().contains("group"),
                store -> store.group("group").entries(KeyRange.all()).count() == 1,
                store -> store.stats().entries() == 1);
    }

    /** In real time, for what this is about happens between the commit and the reader's clock. */
    @Test
    void noReaderSeesAnEntryAgainAfterItHasSeenItExpired() {
        open(builder()
                .clock(InstantSource.system())
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false));
        for (int round = 0; round < Effort.of(2, 20); round++) {
            looks().forEach(this::renewAtTheEnd);
        }
    }

    /** Renews an entry about when it expires, while two others look. */
    private void renewAtTheEnd(Predicate<Store> look) {
        group().clear();
        group().put("key", "value", Duration.ofMillis(4));
        long end = group().entry("key")
                .map(Entry::expiresAt)
                .orElse(clock.instant())
                .toEpochMilli();
        List<Boolean> unused = Threads.together(3, thread -> {
            if (thread == 0) {
                while (System.currentTimeMillis() < end - 1) {
                    Thread.onSpinWait();
                }
                return group().expire("key", HOUR);
            }
            boolean gone = false;
            while (System.currentTimeMillis() < end + 10) {
                boolean found = look.test(store());
                assertThat(gone && found).as("back again").isFalse();
                gone = !found;
            }
            return false;
        });
    }
}
