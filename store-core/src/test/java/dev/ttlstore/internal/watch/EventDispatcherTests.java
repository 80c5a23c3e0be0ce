package dev.ttlstore.internal.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.internal.watch.EventDispatcher.CommitEvents;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.gap;
import static dev.ttlstore.internal.watch.Events.put;

/** How watches are fed, beside listeners. */
@Promise({13, 15})
class EventDispatcherTests {

    private static final String LARGE = "k".repeat(2_000_000);

    private final EventDispatcher dispatcher = Dispatchers.plain();

    @Test
    void aCommitIsInTheBufferWhenItHasBeenDelivered() {
        Watch watch = watch();
        commit(event(1), event(2));
        commit(event(3));
        assertThat(drain(watch)).containsExactly(change(1), change(2), change(3));
    }

    @Test
    void commitsAreFedInTheirOrderWhoeverDeliversThem() {
        Watch watch = watch();
        CommitEvents first = dispatcher.enqueue(List.of(event(1)));
        CommitEvents second = dispatcher.enqueue(List.of(event(2)));
        dispatcher.deliver(second);
        dispatcher.deliver(first);
        assertThat(drain(watch)).containsExactly(change(1), change(2));
    }

    @Test
    @Promise(24)
    void eventsOfOtherProcessesHaveRoomUntilTheyTakeTooMuchMemoryAndAgainOnceTheyAreDelivered() {
        Watch unused = watch();
        assertThat(dispatcher.enqueueRemote(List.of(put(1, LARGE)))).isTrue();
        assertThat(dispatcher.hasRoom()).isTrue();
        assertThat(dispatcher.enqueueRemote(List.of(put(2, LARGE)))).isTrue();
        assertThat(dispatcher.hasRoom()).isFalse();
        dispatcher.deliverSoFar();
        assertThat(dispatcher.hasRoom()).isTrue();
    }

    @Test
    @Promise(22)
    void aListenerThatIsFirstCalledAtTheEndIsNotWaitedForWithoutEnd() {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Dispatchers.subscribe(dispatcher, event -> {
            blocked.countDown();
            Threads.await(release);
        });
        CommitEvents last = dispatcher.enqueue(List.of(event(1)));
        assertThat(last).isNotNull();
        dispatcher.deliverAll(Deadline.in(Duration.ofMillis(100)));
        Threads.await(blocked);
        assertThat(dispatcher.listenerNanos()).isPositive();
        dispatcher.deliver(last); // nobody waits behind it any longer
        release.countDown();
    }

    @Test
    void eventsAreWantedWhileThereIsAWatch() {
        assertThat(dispatcher.hasListeners()).isFalse();
        Watch watch = watch();
        assertThat(dispatcher.hasListeners()).isTrue();
        watch.close();
        assertThat(dispatcher.hasListeners()).isFalse();
    }

    @Test
    void aClosedWatchIsFedNothingMore() {
        Watch watch = watch();
        Watch other = watch();
        commit(event(1));
        watch.close();
        commit(event(2));
        assertThat(drain(watch)).containsExactly(change(1));
        assertThat(drain(other)).containsExactly(change(1), change(2));
    }

    @Test
    void eachWatchSeesWhatItLooksOutForUnderItsNames() {
        Watch mine = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(
                        WatchOptions.defaults(),
                        event -> event.group().equals("mine"),
                        event -> put(event.sequence(), "renamed", "key")));
        Watch all = watch();
        commit(put(1, "mine", "key"), put(2, "yours", "key"));
        assertThat(drain(mine)).containsExactly(new WatchSignal.Change(put(1, "renamed", "key")));
        assertThat(drain(all)).hasSize(2);
    }

    @Test
    void aFilterOrMappingThatThrowsIsCountedAndHarmsNobody() {
        Watch before = watch();
        Watch unfiltered = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(
                        WatchOptions.defaults(),
                        event -> {
                            throw new StackOverflowError("thrown on purpose");
                        },
                        event -> event));
        Watch unmapped =
                Dispatchers.watch(dispatcher, Dispatchers.request(WatchOptions.defaults(), event -> true, event -> {
                    throw new IllegalStateException("thrown on purpose");
                }));
        Watch after = watch();
        Recorder listener = new Recorder();
        Dispatchers.subscribe(dispatcher, listener);
        commit(event(1));
        assertThat(dispatcher.failures()).isEqualTo(2);
        assertThat(drain(before)).containsExactly(change(1));
        assertThat(drain(unfiltered)).containsExactly(gap(1, 1));
        assertThat(drain(unmapped)).containsExactly(gap(1, 1));
        assertThat(drain(after)).containsExactly(change(1));
        assertThat(listener.events()).containsExactly(event(1));
    }

    @ParameterizedTest
    @EnumSource
    @Promise({15, 24})
    void anEventThatAWatchHasNoMemoryForIsAGapInItsPlace(Overflow overflow) {
        Watch narrow = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(WatchOptions.defaults().withOverflow(overflow), event -> true, event -> {
                    if (event.sequence() == 2 || event.sequence() >= 4) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return event;
                }));
        Watch other = watch();
        commit(event(1), event(2));
        commit(event(3), event(4), event(5));
        List<WatchSignal> signals = drain(narrow);
        if (overflow == Overflow.LATEST_PER_KEY) { // which has one gap, at the latest place
            assertThat(signals).containsExactly(change(1), change(3), gap(2, 1));
        } else {
            assertThat(signals).containsExactly(change(1), gap(2, 1), change(3), gap(4, 1));
        }
        assertThat(narrow.dropped()).isEqualTo(2);
        assertThat(drain(other)).hasSize(5);
    }

    @Test
    @Promise({15, 24})
    void anEventThatTheHistoryCannotKeepIsAGapForWhoResumesBeforeIt() {
        AtomicBoolean noMemory = new AtomicBoolean();
        EventDispatcher remembering = Dispatchers.withHistory(10, watched -> {
            if (noMemory.get()) {
                throw new OutOfMemoryError("on purpose");
            }
            return "";
        });
        Watch first = Dispatchers.watch(
                remembering, Dispatchers.request(WatchOptions.defaults(), event -> true, event -> event));
        remembering.deliver(remembering.enqueue(List.of(event(1))));
        CommitEvents unkept = remembering.enqueue(List.of(event(2)));
        noMemory.set(true);
        remembering.deliver(unkept);
        noMemory.set(false);
        remembering.deliver(remembering.enqueue(List.of(event(3))));
        assertThat(drain(first)).containsExactly(change(1), change(2), change(3));
        Watch resumed = Dispatchers.watch(
                remembering,
                Dispatchers.request(WatchOptions.defaults().resumingAfter(1), event -> true, event -> event));
        assertThat(drain(resumed)).first().isEqualTo(gap(2, 1));
    }

    @Test
    @Promise({15, 24})
    void eventsThatCouldNotBeQueuedAreAGapAfterThoseThatWere() {
        Watch watch = watch();
        CommitEvents queued = dispatcher.enqueue(List.of(event(1)));
        dispatcher.unqueued(2);
        dispatcher.deliver(null);
        dispatcher.deliver(queued);
        assertThat(drain(watch)).containsExactly(change(1), gap(2, 1));
        dispatcher.unqueued(3);
        dispatcher.deliver(null);
        commit(event(4));
        assertThat(drain(watch)).containsExactly(gap(3, 1), change(4));
    }

    @Test
    void aListenerThatSitsInItsCodeHoldsUpNoWatch() {
        CountDownLatch release = new CountDownLatch(1);
        Dispatchers.subscribe(dispatcher, event -> Threads.await(release));
        Watch watch = watch();
        Waiter<Optional<WatchSignal>> reader = Waiter.start(() -> watch.poll(Duration.ofHours(1)));
        Future<Boolean> writer = Threads.start(thread -> {
            commit(event(1));
            return true;
        });
        assertThat(reader.get()).contains(change(1));
        assertThat(writer).isNotDone();
        release.countDown();
        assertThat(Threads.get(writer)).isTrue();
    }

    @Test
    void aReaderThatSitsInItsCodeHoldsUpNeitherWritersNorOtherReaders() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Watch slow = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(WatchOptions.defaults().withCapacity(1), event -> true, event -> event));
        RecordingSubscriber subscriber = new RecordingSubscriber(Long.MAX_VALUE, signal -> {
            inside.countDown();
            Threads.await(release);
        });
        slow.subscribe(subscriber);
        Watch quick = watch();
        commit(event(1));
        Threads.await(inside);
        Future<Boolean> writer = Threads.start(thread -> {
            for (int sequence = 2; sequence <= 100; sequence++) {
                commit(event(sequence));
            }
            return true;
        });
        assertThat(Threads.get(writer)).isTrue();
        assertThat(drain(quick)).hasSize(100);
        release.countDown();
        assertThat(subscriber.awaitSignals(3)).containsExactly(change(1), gap(2, 98), change(100));
        slow.close();
        subscriber.awaitCompletion();
    }

    @Test
    void aListenerMayReadAWatchAndCloseIt() {
        Watch watch = watch();
        List<WatchSignal> read = new ArrayList<>();
        Dispatchers.subscribe(dispatcher, event -> {
            read.addAll(drain(watch));
            watch.close();
        });
        commit(event(1), event(2));
        assertThat(read).containsExactly(change(1));
        assertThat(dispatcher.failures()).isZero();
    }

    @Test
    void dropsAreCountedOverAllWatchesAndStayWhenTheyAreClosed() {
        Watch narrow = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(WatchOptions.defaults().withCapacity(1), event -> true, event -> event));
        Watch wider = Dispatchers.watch(
                dispatcher,
                Dispatchers.request(WatchOptions.defaults().withCapacity(2), event -> true, event -> event));
        commit(event(1), event(2), event(3));
        assertThat(narrow.dropped()).isEqualTo(2);
        assertThat(wider.dropped()).isEqualTo(1);
        assertThat(dispatcher.watchDrops()).isEqualTo(3);
        narrow.close();
        commit(event(4));
        assertThat(dispatcher.watchDrops()).isEqualTo(4);
    }

    @Test
    @Promise(22)
    void closingAllWakesTheirReadersAndLeavesWhatIsToBeRead() {
        Watch read = watch();
        commit(event(1));
        Watch empty = watch();
        Waiter<Optional<WatchSignal>> reader = Waiter.start(() -> empty.poll(Duration.ofHours(1)));
        dispatcher.closeWatches();
        assertThat(reader.get()).isEmpty();
        assertThat(read.isClosed()).isTrue();
        assertThat(read).containsExactly(change(1));
        assertThat(dispatcher.hasListeners()).isFalse();
        dispatcher.closeWatches();
    }

    @Test
    @Promise(22)
    void aWatchThatIsOpenedAfterTheClosingIsClosed() {
        dispatcher.closeWatches();
        Watch late = watch();
        assertThat(late.isClosed()).isTrue();
        assertThat(late).isEmpty();
        assertThat(dispatcher.hasListeners()).isFalse();
    }

    @Test
    @Promise(22)
    void aWatchThatIsOpenedDuringTheClosingIsClosed() {
        for (int i = 0; i < 200; i++) {
            EventDispatcher closing = Dispatchers.plain();
            List<Boolean> closed = Threads.together(2, thread -> {
                if (thread == 0) {
                    closing.closeWatches();
                    return true;
                }
                Watch watch = Dispatchers.watch(
                        closing, Dispatchers.request(WatchOptions.defaults(), event -> true, event -> event));
                return watch.poll(Duration.ofHours(1)).isEmpty() && watch.isClosed();
            });
            assertThat(closed).containsExactly(true, true);
            assertThat(closing.hasListeners()).isFalse();
        }
    }

    private Watch watch() {
        return Dispatchers.watch(
                dispatcher, Dispatchers.request(WatchOptions.defaults(), event -> true, event -> event));
    }

    private void commit(StoreEvent... events) {
        dispatcher.deliver(dispatcher.enqueue(List.of(events)));
    }

    private static List<WatchSignal> drain(Watch watch) {
        return Stream.generate(watch::poll)
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }
}
