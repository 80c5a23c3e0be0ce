package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What a watch watches, and that it may start with the existing entries. */
@Promise({13, 15})
abstract class WatchStartContract extends WatchArea {

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
}
