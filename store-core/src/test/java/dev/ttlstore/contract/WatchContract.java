package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Changes that are read at the reader's own pace. */
@Promise({13, 15})
abstract class WatchContract extends ContractArea {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What is in the buffer at the moment. */
    private static List<WatchSignal> drain(Watch watch) {
        List<WatchSignal> signals = new ArrayList<>();
        watch.poll().ifPresent(signals::add);
        for (int size = 0; size < signals.size(); ) {
            size = signals.size();
            watch.poll().ifPresent(signals::add);
        }
        return signals;
    }

    private static List<StoreEvent> events(Watch watch) {
        return drain(watch).stream()
                .map(signal -> ((WatchSignal.Change) signal).event())
                .toList();
    }

    @Test
    void aWatchSeesWhatIsCommittedFromThenOnAsAListenerDoes() {
        group().put("before", "value");
        Recorder recorder = record();
        try (Watch watch = store().watch()) {
            group().put("key", "value", Duration.ofMillis(10));
            group().put("other", "value");
            group().delete("other");
            advanceMillis(10);
            store().purgeExpired();
            store().group("other").put("key", "value");
            store().group("other").clear();
            List<StoreEvent> seen = events(watch);
            assertThat(seen).isEqualTo(recorder.events());
            assertThat(seen)
                    .extracting(StoreEvent::getClass)
                    .containsExactly(
                            EntryPut.class,
                            EntryPut.class,
                            EntryDeleted.class,
                            EntryExpired.class,
                            EntryPut.class,
                            GroupDeleted.class);
            assertThat(watch.poll()).isEmpty();
        }
    }

    @Test
    @Promise(22)
    void allWatchesEndAtOnceAndNoneBeginsAgainWhileTheStoreGoesOn() {
        Watch open = store().scope("tenant").group("group").watch();
        store().scope("tenant").group("group").put("key", "value");
        store().closeWatches();
        store().closeWatches();
        assertThat(open.isClosed()).isTrue();
        assertThat(events(open)).hasSize(1);
        try (Watch late = store().watch()) {
            assertThat(late.isClosed()).isTrue();
            Recorder recorder = record();
            group().put("key", "value");
            assertThat(recorder.events()).hasSize(1);
            assertThat(late.poll()).isEmpty();
        }
        store().close();
        store().closeWatches();
    }

    @Test
    void aWatchThatIsClosedBeforeItIsUpToDateGivesNothingMore() {
        group().putAll(Map.of("a", "value", "b", "value"));
        WatchOptions existing = WatchOptions.defaults().withExisting();
        Watch closed = group().watch(existing);
        Watch ended = group().watch(existing);
        Watch upToDate = group().watch(existing);
        assertThat(closed.poll()).containsInstanceOf(WatchSignal.Existing.class);
        IntStream.range(0, 3).forEach(i -> assertThat(upToDate.poll()).isPresent());
        group().put("later", "value");
        closed.close();
        store().closeWatches();
        assertThat(closed).isEmpty(); // a reader that resumes after "later" would never get "b"
        assertThat(ended).isEmpty();
        assertThat(events(upToDate)).hasSize(1);
    }

    @Test
    void watchesSeeTheChangesOfManyWritersInTheOrderOfListeners() {
        Recorder recorder = record();
        try (Watch first = store().watch();
                Watch second = store().watch()) {
            Threads.together(8, thread -> {
                for (int i = 0; i < 50; i++) {
                    group().put(thread + "." + i, "value");
                }
                return thread;
            });
            assertThat(events(first)).hasSize(400).isEqualTo(recorder.events());
            assertThat(events(second)).isEqualTo(recorder.events());
            assertSequenceRises(recorder.events());
        }
    }

    @Test
    void aGroupAndAKeyAreWatchedAlone() {
        try (Watch group = store().watch("group");
                Watch ofGroup = group().watch();
                Watch key = store().watch("group", "key");
                Watch ofKey = group().watch("key")) {
            group().put("key", "value");
            group().put("key2", "value");
            group().put("KEY", "value");
            store().group("group2").put("key", "value");
            store().group("Group").put("key", "value");
            group().delete("key");
            List<StoreEvent> all = events(group);
            assertThat(all).hasSize(4).isEqualTo(events(ofGroup));
            assertThat(events(key)).containsExactly(all.get(0), all.get(3));
            assertThat(events(ofKey)).containsExactly(all.get(0), all.get(3));
        }
    }

    @Test
    void aStarIsAnOrdinaryName() {
        try (Watch group = store().watch("*");
                Watch key = store().watch("group", "*")) {
            group().put("key", "value");
            assertThat(events(group)).isEmpty();
            assertThat(events(key)).isEmpty();
            store().group("*").put("key", "value");
            group().put("*", "value");
            assertThat(events(group)).singleElement().matches(event -> event.group()
                    .equals("*"));
            assertThat(events(key))
                    .singleElement()
                    .matches(event -> ((EntryPut) event).key().equals("*"));
        }
    }

    @Test
    void theDeletionOfItsGroupReachesTheWatchOfAKey() {
        group().put("other", "value");
        store().group("group2").put("key", "value");
        try (Watch key = group().watch("key")) {
            store().deletePrefix("group");
            assertThat(events(key))
                    .singleElement()
                    .isInstanceOf(GroupDeleted.class)
                    .matches(event -> event.group().equals("group"));
        }
    }

    @Test
    void theOldestChangesMakeRoomUnlessAskedOtherwise() {
        try (Watch watch = store().watch(WatchOptions.defaults().withCapacity(2))) {
            Recorder recorder = record();
            for (int i = 0; i < 5; i++) {
                group().put("key" + i, "value");
            }
            List<StoreEvent> all = recorder.events();
            assertThat(drain(watch))
                    .containsExactly(
                            new WatchSignal.Gap(all.get(0).sequence(), 3),
                            new WatchSignal.Change(all.get(3)),
                            new WatchSignal.Change(all.get(4)));
            assertThat(watch.dropped()).isEqualTo(3);
            assertThat(store().activity().watchDrops()).isEqualTo(3);
        }
        assertThat(store().activity().watchDrops()).isEqualTo(3);
    }

    @Test
    void theNewestChangesAreMissedWhenAskedFor() {
        WatchOptions options = WatchOptions.defaults().withCapacity(2).withOverflow(Overflow.DROP_NEWEST);
        try (Watch watch = store().watch(options)) {
            Recorder recorder = record();
            for (int i = 0; i < 5; i++) {
                group().put("key" + i, "value");
            }
            List<StoreEvent> all = recorder.events();
            assertThat(drain(watch))
                    .containsExactly(
                            new WatchSignal.Change(all.get(0)),
                            new WatchSignal.Change(all.get(1)),
                            new WatchSignal.Gap(all.get(2).sequence(), 3));
            group().put("last", "value");
            assertThat(drain(watch)).singleElement().isInstanceOf(WatchSignal.Change.class);
            assertThat(store().activity().watchDrops()).isEqualTo(3);
        }
    }

    @Test
    void onlyTheLatestOfEachKeyIsKeptWhenAskedFor() {
        WatchOptions options = WatchOptions.defaults().withCapacity(2).withOverflow(Overflow.LATEST_PER_KEY);
        try (Watch watch = store().watch(options)) {
            Recorder recorder = record();
            group().put("a", "1");
            group().put("b", "1");
            group().put("a", "2");
            group().delete("a");
            List<StoreEvent> all = recorder.events();
            assertThat(events(watch)).containsExactly(all.get(1), all.get(3));
            assertThat(watch.conflated()).isEqualTo(2);
            assertThat(watch.dropped()).isZero();
            assertThat(store().activity().watchDrops()).isZero();
        }
    }

    @Test
    void aReaderThatDoesNotReadHoldsUpNoWriter() {
        try (Watch watch = store().watch(WatchOptions.defaults().withCapacity(1))) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            watch.subscribe(new Reader() {
                @Override
                public void onNext(WatchSignal signal) {
                    inside.countDown();
                    Threads.await(release);
                }
            });
            group().put("first", "value");
            Threads.await(inside);
            for (int i = 0; i < 100; i++) {
                group().put("key" + i, "value");
            }
            assertThat(watch.dropped()).isEqualTo(99);
            release.countDown();
        }
        assertThat(group().count()).isEqualTo(101);
    }

    /** A subscriber that takes all there is. */
    private static class Reader implements Flow.Subscriber<WatchSignal> {
        final List<WatchSignal> signals = new ArrayList<>();
        final CountDownLatch completed = new CountDownLatch(1);

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(WatchSignal signal) {
            signals.add(signal);
        }

        @Override
        public void onError(Throwable throwable) {
            throw new AssertionError(throwable);
        }

        @Override
        public void onComplete() {
            completed.countDown();
        }
    }

    @Test
    @Promise({13, 15, 22})
    void aReaderThatWaitsWithoutAThreadIsWoken() {
        try (Watch watch = store().watch("group")) {
            CountDownLatch changed = new CountDownLatch(1);
            watch.onReady(changed::countDown);
            assertThat(changed.getCount()).isEqualTo(1);
            group().put("key", "value");
            Threads.await(changed);
            assertThat(drain(watch)).hasSize(1);
            CountDownLatch closed = new CountDownLatch(1);
            watch.onReady(closed::countDown);
            store().closeWatches();
            Threads.await(closed);
            assertThat(watch.poll()).isEmpty();
        }
    }

    @Test
    void aReaderMayWriteBack() throws InterruptedException {
        try (Watch watch = store().watch("group")) {
            Future<Integer> reader = Threads.start(thread -> {
                int read = 0;
                for (WatchSignal signal : watch) {
                    String key = ((EntryPut) ((WatchSignal.Change) signal).event()).key();
                    store().group("seen").put(key, "value");
                    if (++read == 20) {
                        break;
                    }
                    group().put(key + "+", "value"); // which it reads itself
                }
                return read;
            });
            group().put("key", "value");
            assertThat(Threads.get(reader)).isEqualTo(20);
        }
        assertThat(store().group("seen").count()).isEqualTo(20);
    }

    @Test
    @Promise({15, 22})
    void closingTheStoreEndsItsWatchesAndLeavesWhatIsInThemToBeRead() {
        Watch waited = store().watch("nothing");
        Watch iterated = store().watch();
        Watch subscribed = store().watch();
        Future<Boolean> poll = Threads.start(thread -> waited.poll(PATIENCE).isPresent());
        Future<Integer> iteration = Threads.start(thread -> {
            int read = 0;
            for (WatchSignal signal : iterated) {
                assertThat(signal).isInstanceOf(WatchSignal.Change.class);
                read++;
            }
            return read;
        });
        group().put("1", "value");
        group().put("2", "value");
        store().close();
        assertThat(Threads.get(poll)).isFalse();
        assertThat(Threads.get(iteration)).isEqualTo(2);
        assertThat(subscribed.isClosed()).isTrue();
        Reader reader = new Reader();
        subscribed.subscribe(reader);
        Threads.await(reader.completed);
        assertThat(reader.signals).hasSize(2);
    }

    @Test
    @Promise({15, 22})
    void aClosedStoreCannotBeWatched() {
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().watch());
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().watch("group"));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().watch(WatchOptions.defaults()));
    }

    @Test
    void aClosedWatchSeesNothingMore() {
        Watch watch = store().watch();
        group().put("1", "value");
        watch.close();
        group().put("2", "value");
        assertThat(watch.isClosed()).isTrue();
        assertThat(events(watch)).hasSize(1);
    }

    @Test
    @Promise({8, 15})
    void aWatchThatIsOpenedDuringATransactionSeesItsChanges() {
        List<Watch> watches = new ArrayList<>();
        store().transact(tx -> {
            tx.group("group").put("1", "value");
            watches.add(Threads.get(Threads.start(thread -> store().watch())));
            tx.group("group").put("2", "value");
            assertThat(drain(watches.get(0))).isEmpty();
            return true;
        });
        assertThat(events(watches.get(0))).hasSize(2);
    }

    @Test
    void namesAndOptionsAreChecked() {
        assertThatNullPointerException().isThrownBy(() -> store().watch((WatchOptions) nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().watch((String) nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().watch("group", (String) nothing()));
        assertThatIllegalArgumentException().isThrownBy(() -> store().watch(""));
        assertThatIllegalArgumentException().isThrownBy(() -> group().watch(""));
    }

    @Test
    void aSignalPrintsNoKey() {
        try (Watch watch = store().watch()) {
            group().put("secret", "hidden");
            group().delete("secret");
            assertThat(drain(watch).toString()).doesNotContain("secret", "hidden");
        }
    }
}
