package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What a watch watches, and where it starts: with later changes, with the existing entries, or after a sequence. */
@Promise({13, 15})
abstract class WatchStartContract extends ContractArea {

    private static final WatchOptions DEFAULTS = WatchOptions.defaults();

    private static List<WatchSignal> read(Watch watch) {
        List<WatchSignal> signals = new ArrayList<>();
        for (Optional<WatchSignal> next = watch.poll(); next.isPresent(); next = watch.poll()) {
            signals.add(next.get());
        }
        return signals;
    }

    /** Which key a signal is about, with a mark for its kind. */
    private static List<String> shown(List<WatchSignal> signals) {
        return signals.stream().map(WatchStartContract::shown).toList();
    }

    private static String shown(WatchSignal signal) {
        if (signal instanceof WatchSignal.Existing existing) {
            return "= " + existing.entry().key();
        }
        if (signal instanceof WatchSignal.Change change) {
            StoreEvent event = change.event();
            return event instanceof EntryPut put
                    ? "+ " + put.key()
                    : event instanceof EntryDeleted deleted ? "- " + deleted.key() : event.type();
        }
        return signal instanceof WatchSignal.UpToDate ? "up to date" : "gap";
    }

    @Test
    void aWatchStartsWithTheExistingEntries() {
        group().put("b", "value", Duration.ofHours(1));
        group().put("a", "value");
        group().put("gone", "value", Duration.ofMillis(1));
        advanceMillis(1);
        store().group("other").put("c", "value");
        long version = group().entry("b").orElseThrow().version();
        try (Watch watch = group().watch(DEFAULTS.withExisting())) {
            group().put("b", "other");
            group().put("c", "value");
            group().delete("a");
            List<WatchSignal> signals = read(watch);
            // An entry that changes before its page is read comes only as a change.
            assertThat(shown(signals)).containsExactly("up to date", "+ b", "+ c", "- a");
        }
        try (Watch watch = store().watch(DEFAULTS.ofGroup("group").withExisting())) {
            List<WatchSignal> signals = read(watch);
            assertThat(shown(signals)).containsExactly("= b", "= c", "up to date");
            EntryPut existing = ((WatchSignal.Existing) signals.get(0)).entry();
            assertThat(existing.version()).isGreaterThan(version).isEqualTo(existing.sequence());
            assertThat(existing.expiresAt()).isNull();
            assertThat(existing.value()).isNull();
            assertThat(((WatchSignal.UpToDate) signals.get(2)).sequence()).isGreaterThan(existing.sequence());
            group().put("d", "value");
            assertThat(shown(read(watch))).containsExactly("+ d");
        }
    }

    @Test
    void manyExistingEntriesTakeNoRoomInTheBuffer() {
        fillInOrder(700);
        try (Watch watch = group().watch(DEFAULTS.withCapacity(1).withExisting())) {
            assertThat(shown(read(watch))).hasSize(701).last().isEqualTo("up to date");
            assertThat(watch.dropped()).isZero();
        }
    }

    private void fillInOrder(int entries) {
        fill(group(), entries, "key%03d"::formatted);
    }

    @Test
    void aReaderThatFollowsHasTheStateOfTheGroupWhateverIsWrittenMeanwhile() {
        fillInOrder(300);
        Threads.together(4, thread -> {
            if (thread > 0) {
                for (int i = 0; i < 100; i++) {
                    String key = "key%03d".formatted((i * 7 + thread * 31) % 400);
                    if (i % 3 == 0) {
                        group().delete(key);
                    } else {
                        group().put(key, "by " + thread + " in " + i);
                    }
                }
                return thread;
            }
            for (int round = 0; round < 5; round++) {
                try (Watch watch = group().watch(DEFAULTS.withCapacity(10_000).withExisting())) {
                    assertThat(shown(read(watch))).contains("up to date");
                }
            }
            return thread;
        });
        Watch watch = group().watch(DEFAULTS.withCapacity(10_000).withExisting());
        Threads.together(4, thread -> {
            for (int i = 0; i < 50; i++) {
                group().put("key%03d".formatted((i * 11 + thread * 17) % 400), "late by " + thread + " in " + i);
            }
            return thread;
        });
        Map<String, Long> state = new TreeMap<>();
        for (WatchSignal signal : read(watch)) {
            if (signal instanceof WatchSignal.Existing existing) {
                assertThat(state.put(existing.entry().key(), existing.entry().version()))
                        .isNull();
            } else if (signal instanceof WatchSignal.Change change && change.event() instanceof EntryPut put) {
                Long before = state.put(put.key(), put.version());
                assertThat(before == null || before < put.version()).isTrue();
            }
        }
        watch.close();
        Map<String, Long> versions = new TreeMap<>();
        group().entries().forEach(entry -> versions.put(entry.key(), entry.version()));
        assertThat(state).isEqualTo(versions);
    }

    @Test
    void aSubscriberGetsTheExistingEntriesAsItAsksForThem() {
        fillInOrder(3);
        LinkedBlockingQueue<WatchSignal> received = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<Flow.Subscription> subscriptions = new LinkedBlockingQueue<>();
        try (Watch watch = group().watch(DEFAULTS.withExisting())) {
            watch.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    subscriptions.add(subscription);
                }

                @Override
                public void onNext(WatchSignal signal) {
                    received.add(signal);
                }

                @Override
                public void onError(Throwable throwable) {}

                @Override
                public void onComplete() {}
            });
            Awaitility.await().until(() -> !subscriptions.isEmpty());
            Flow.Subscription subscription = subscriptions.remove();
            subscription.request(2);
            Awaitility.await().until(() -> received.size() == 2);
            subscription.request(3);
            Awaitility.await().until(() -> received.size() == 4);
            group().put("new", "value");
            Awaitility.await().until(() -> received.size() == 5);
            assertThat(shown(List.copyOf(received)))
                    .containsExactly("= key000", "= key001", "= key002", "up to date", "+ new");
        }
    }

    @Test
    void existingEntriesAreThoseThatTheWatchIsAbout() {
        for (String key : List.of("a1", "a2", "b1")) {
            group().put(key, "value");
        }
        try (Watch prefix = group().watch(DEFAULTS.ofKeyPrefix("a").withExisting());
                Watch key = group().watch(DEFAULTS.ofKey("a2").withExisting());
                Watch missing = group().watch(DEFAULTS.ofKey("a0").withExisting())) {
            assertThat(shown(read(prefix))).containsExactly("= a1", "= a2", "up to date");
            assertThat(shown(read(key))).containsExactly("= a2", "up to date");
            assertThat(shown(read(missing))).containsExactly("up to date");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().watch(DEFAULTS.withExisting()))
                .withMessageContaining("ofGroup");
    }

    @Test
    void inAScopeTheGroupHasItsOwnName() {
        store().scope("acme").group("group").put("key", "value");
        try (Watch watch = store().scope("acme").watch(DEFAULTS.ofGroup("group").withExisting())) {
            assertThat(watch.poll().orElseThrow())
                    .isInstanceOfSatisfying(
                            WatchSignal.Existing.class,
                            existing -> assertThat(existing.entry().group()).isEqualTo("group"));
        }
    }

    @Test
    void aClosedWatchHasNoMoreExistingEntries() {
        fillInOrder(3);
        Watch watch = group().watch(DEFAULTS.withExisting());
        Watch ofTheStore = group().watch(DEFAULTS.withExisting());
        assertThat(shown(watch.poll().orElseThrow())).isEqualTo("= key000");
        watch.close();
        assertThat(watch.poll()).isEmpty();
        store().close();
        assertThat(ofTheStore.poll()).isEmpty();
        assertThat(ofTheStore.isClosed()).isTrue();
    }

    @Test
    void aWatchIsOfAPrefixOrOfOneKeyInAllGroups() {
        try (Watch prefix = group().watch(DEFAULTS.ofKeyPrefix("a%"));
                Watch key = store().watch(DEFAULTS.ofKey("theme"));
                Watch scoped = store().scope("acme").watch(DEFAULTS.ofKey("theme"))) {
            group().put("a%1", "value");
            group().put("ab", "value");
            group().put("theme", "value");
            store().scope("acme").group("config").put("theme", "value");
            store().scope("acme").group("config").put("other", "value");
            store().scope("acme").deletePrefix("con");
            group().clear();
            assertThat(shown(read(prefix))).containsExactly("+ a%1", "delete-group");
            assertThat(shown(read(key))).containsExactly("+ theme", "+ theme", "delete-group", "delete-group");
            assertThat(shown(read(scoped))).containsExactly("+ theme", "delete-group");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> group().watch(DEFAULTS.ofKey("")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().watch(DEFAULTS.ofKey("a").ofKeyPrefix("a")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().watch(DEFAULTS.ofGroup("other")))
                .withMessageContaining("'group'");
    }

    private static long last(List<WatchSignal> signals) {
        return ((WatchSignal.Change) signals.get(signals.size() - 1)).event().sequence();
    }

    @Test
    void aWatchGoesOnWhereAnotherHasEnded() {
        Watch first = group().watch();
        group().put("a", "value");
        group().put("b", "value");
        long seen = last(read(first));
        first.close();
        group().put("c", "value");
        store().group("other").put("not watched", "value");
        group().delete("a");
        try (Watch second = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(second))).containsExactly("+ c", "- a");
            group().put("d", "value");
            assertThat(shown(read(second))).containsExactly("+ d");
        }
        try (Watch again = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(again))).containsExactly("+ c", "- a", "+ d");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DEFAULTS.withExisting().resumingAfter(seen));
    }

    @Test
    void aWatchOfAScopeGoesOnWhereAnotherHasEnded() {
        Scope acme = store().scope("acme");
        Watch first = acme.watch();
        acme.group("group").put("a", "value");
        acme.group("other").put("b", "value");
        long seen = last(read(first));
        first.close();
        group().put("not watched", "value");
        acme.group("group").put("c", "value");
        try (Watch second = acme.watch(DEFAULTS.resumingAfter(seen))) {
            acme.group("third").put("d", "value");
            assertThat(shown(read(second))).containsExactly("+ c", "+ d");
        }
    }

    @Test
    void aWatchOfTheStoreGoesOnOrSaysThatItCannot() {
        Watch first = store().watch();
        for (int i = 0; i < 8; i++) {
            store().group("group" + i).put("a", "value");
        }
        long seen = last(read(first));
        first.close();
        for (int i = 0; i < 8; i++) {
            store().group("group" + i).put("b" + i, "value");
        }
        try (Watch second = store().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("last", "value");
            List<String> shown = shown(read(second));
            // Several processes give numbers in several orders, so nobody knows which of them the reader has seen.
            if (contract().isExclusive()) {
                assertThat(shown)
                        .hasSize(9)
                        .startsWith("+ b0")
                        .endsWith("+ last")
                        .doesNotContain("gap");
            } else {
                assertThat(shown).containsExactly("gap", "+ last");
            }
        }
    }

    /** Before it, nobody asked for the events, so a purge need not have made any. */
    @Test
    void theFirstWatchThatResumesBeforeAPurgeMissesNothingWithoutAGap() {
        long seen = group().put("a", "value", Duration.ofMillis(10));
        advanceMillis(10);
        assertThat(store().purgeExpired()).isEqualTo(1);
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("b", "value");
            assertThat(shown(read(watch))).hasSizeGreaterThan(1).endsWith("+ b");
        }
    }

    @Test
    void whatTheStoreNoLongerHasIsAGap() {
        open(settings().eventHistory(2));
        Watch first = group().watch();
        group().put("a", "value");
        long seen = last(read(first));
        for (String key : List.of("b", "c", "d")) {
            group().put(key, "value");
        }
        List<WatchSignal> rest = read(first);
        first.close();
        try (Watch second = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(second))).containsExactly("gap", "+ c", "+ d");
        }
        try (Watch third = group().watch(DEFAULTS.resumingAfter(last(rest)))) {
            assertThat(shown(read(third))).isEmpty();
        }
    }

    @Test
    void afterANumberThatTheStoreHasNotReachedThereIsAGap() {
        long newest = group().put("a", "value");
        Watch first = group().watch();
        for (long unknown : List.of(newest + 1_000, Long.MAX_VALUE)) {
            try (Watch ofAnotherStore = group().watch(DEFAULTS.resumingAfter(unknown))) {
                group().put("b", "value");
                assertThat(shown(read(ofAnotherStore))).containsExactly("gap", "+ b");
            }
        }
        first.close();
    }

    @Test
    void afterARestartAWatchGoesOnOnlyIfNothingWasMissed() {
        Watch before = group().watch();
        IntStream.range(0, 10).forEach(i -> group().put("key" + i, "value"));
        long seen = last(read(before));
        reopen();
        try (Watch atOnce = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(atOnce))).containsExactly("gap");
        }
        group().put("a", "value");
        try (Watch later = group().watch(DEFAULTS.resumingAfter(seen))) {
            group().put("b", "value");
            // A store in memory begins its numbers again, and a file goes on with the next number.
            // After a gap, a shared engine may repeat what is known to have come after the number.
            assertThat(shown(read(later)))
                    .isIn(List.of("gap", "+ b"), List.of("gap", "+ a", "+ b"), List.of("+ a", "+ b"));
        }
    }

    @Test
    void aWatchDoesNotRepeatAChangeThatIsStillOnItsWayToTheWatches() {
        Watch active = group().watch();
        List<Watch> resumed = new ArrayList<>();
        Subscription subscription = store().onChange(event -> {
            if (resumed.isEmpty()) { // the next changes reach the watches after this listener has returned
                long first = group().put("first", "value");
                long second = group().put("second", "value");
                resumed.add(group().watch(DEFAULTS.resumingAfter(first)));
                resumed.add(group().watch(DEFAULTS.resumingAfter(second)));
            }
        });
        group().put("key", "value");
        group().put("later", "value");
        assertThat(shown(read(resumed.get(0)))).containsExactly("+ second", "+ later");
        assertThat(shown(read(resumed.get(1)))).containsExactly("+ later");
        assertThat(shown(read(active))).containsExactly("+ key", "+ first", "+ second", "+ later");
        resumed.forEach(Watch::close);
        subscription.close();
        active.close();
    }

    @Test
    void aReaderThatIsUpToDateGoesOnWithoutAGap() {
        group().put("a", "value");
        long seen;
        try (Watch watch = group().watch(DEFAULTS.withExisting())) {
            List<WatchSignal> signals = read(watch);
            seen = ((WatchSignal.UpToDate) signals.get(1)).sequence();
        }
        try (Watch quiet = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(quiet))).isEmpty();
            group().put("b", "value");
            assertThat(shown(read(quiet))).containsExactly("+ b");
        }
        try (Watch again = group().watch(DEFAULTS.resumingAfter(seen))) {
            assertThat(shown(read(again))).containsExactly("+ b");
        }
    }

    @Test
    void aReaderOfTheFirstWatchGoesOnAfterAWriteOfItsOwn() {
        group().put("a", "value");
        long own = group().put("b", "value");
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(own))) {
            group().put("c", "value");
            assertThat(shown(read(watch))).containsExactly("+ c");
        }
        try (Watch earlier = group().watch(DEFAULTS.resumingAfter(own - 1))) {
            assertThat(shown(read(earlier))).containsExactly("gap", "+ c");
        }
    }

    @Test
    void withoutAHistoryAndBeforeTheFirstWatchThereIsAGap() {
        open(settings().eventHistory(0));
        group().put("a", "value");
        try (Watch watch = group().watch(DEFAULTS.resumingAfter(0))) {
            group().put("b", "value");
            assertThat(shown(read(watch))).containsExactly("gap", "+ b");
        }
        Store store = reopen();
        TextGroup group = store.group("group");
        group.put("a", "value");
        try (Watch watch = group.watch(DEFAULTS.resumingAfter(0))) {
            assertThat(shown(read(watch))).containsExactly("gap");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings().eventHistory(-1))
                .withMessageContaining("'eventHistory'");
    }
}
