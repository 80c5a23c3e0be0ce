package dev.ttlstore.internal.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.event.WatchSignal.Change;
import dev.ttlstore.event.WatchSignal.Gap;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.gap;
import static dev.ttlstore.internal.watch.Events.put;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A watch and those who read it by asking, or in a loop. */
@Promise(15)
class BufferedWatchTests {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void askingTakesTheNextSignalAndDoesNotWait() {
        BufferedWatch watch = watch(10);
        assertThat(watch.poll()).isEmpty();
        offer(watch, 1, 2);
        assertThat(watch.poll()).contains(change(1));
        assertThat(watch.poll()).contains(change(2));
        assertThat(watch.poll()).isEmpty();
    }

    @Test
    void whatOverflowsIsCountedAndToldAsAGap() {
        BufferedWatch watch = watch(2);
        assertThat(watch.offer(event(1))).isTrue();
        assertThat(watch.offer(event(2))).isTrue();
        assertThat(watch.offer(event(3))).isFalse();
        assertThat(watch.dropped()).isEqualTo(1);
        assertThat(drain(watch)).containsExactly(gap(1, 1), change(2), change(3));
        assertThat(watch.dropped()).isEqualTo(1);
        assertThat(watch.conflated()).isZero();
    }

    @Test
    void whatAReaderDoesNotLookOutForTakesNoRoom() {
        BufferedWatch watch = new BufferedWatch(
                Dispatchers.request(
                        options(1),
                        event -> event.group().equals("mine"),
                        event -> event instanceof EntryPut put ? put(put.sequence(), "renamed", put.key()) : event),
                Long.MIN_VALUE,
                closed -> {});
        watch.offer(put(1, "mine", "key"));
        assertThat(watch.offer(put(2, "yours", "key"))).isTrue();
        assertThat(drain(watch)).containsExactly(new Change(put(1, "renamed", "key")));
        assertThat(watch.dropped()).isZero();
    }

    @Test
    void entriesAreConflatedUnderTheNamesThatTheReaderSees() {
        BufferedWatch watch = new BufferedWatch(
                Dispatchers.request(
                        options(5).withOverflow(Overflow.LATEST_PER_KEY),
                        event -> true,
                        event -> put(event.sequence(), "renamed", "key")),
                Long.MIN_VALUE,
                closed -> {});
        offer(watch, 1, 2);
        assertThat(drain(watch)).containsExactly(new Change(put(2, "renamed", "key")));
        assertThat(watch.conflated()).isEqualTo(1);
    }

    @Test
    void waitingEndsWhenTheTimeIsOver() throws InterruptedException {
        BufferedWatch watch = watch(10);
        assertThat(watch.poll(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void noTimeOrLessIsNotToWait() throws InterruptedException {
        BufferedWatch watch = watch(10);
        assertThat(watch.poll(Duration.ZERO)).isEmpty();
        assertThat(watch.poll(Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
        offer(watch, 1, 2);
        assertThat(watch.poll(Duration.ZERO)).contains(change(1));
        assertThat(watch.poll(Duration.ofNanos(-1))).contains(change(2));
    }

    @Test
    void aWaitingReaderIsWokenByAnEvent() {
        BufferedWatch watch = watch(10);
        Waiter<Optional<WatchSignal>> reader = Waiter.start(() -> watch.poll(LONG));
        offer(watch, 1, 1);
        assertThat(reader.get()).contains(change(1));
    }

    @Test
    void aReaderMayWaitForLongerThanNanosecondsCanTell() {
        BufferedWatch watch = watch(10);
        Waiter<Optional<WatchSignal>> reader = Waiter.start(() -> watch.poll(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(reader.isDone()).isFalse();
        offer(watch, 1, 1);
        assertThat(reader.get()).contains(change(1));
    }

    @Test
    void eachOfTwoWaitingReadersIsWokenByAnEventOfItsOwn() {
        BufferedWatch watch = watch(10);
        Waiter<Optional<WatchSignal>> one = Waiter.start(() -> watch.poll(LONG));
        Waiter<Optional<WatchSignal>> other = Waiter.start(() -> watch.poll(LONG));
        offer(watch, 1, 2);
        assertThat(Stream.of(one, other).map(Waiter::get).map(Optional::orElseThrow))
                .containsExactlyInAnyOrder(change(1), change(2));
    }

    @Test
    @Promise({15, 22})
    void closingWakesAllWaitingReaders() {
        BufferedWatch watch = watch(10);
        Waiter<Optional<WatchSignal>> one = Waiter.start(() -> watch.poll(LONG));
        Waiter<Optional<WatchSignal>> other = Waiter.start(() -> watch.poll(LONG));
        Waiter<Boolean> looping = Waiter.start(() -> watch.iterator().hasNext());
        watch.close();
        assertThat(one.get()).isEmpty();
        assertThat(other.get()).isEmpty();
        assertThat(looping.get()).isFalse();
    }

    @Test
    @Promise({15, 22})
    void whatIsInTheBufferCanBeReadAfterTheClosingAndNothingComesIn() throws InterruptedException {
        BufferedWatch watch = watch(2);
        offer(watch, 1, 3);
        assertThat(watch.isClosed()).isFalse();
        watch.close();
        assertThat(watch.isClosed()).isTrue();
        assertThat(watch.offer(event(4))).isTrue();
        assertThat(watch.poll(LONG)).contains(gap(1, 1));
        assertThat(watch.poll()).contains(change(2));
        assertThat(watch.iterator()).toIterable().containsExactly(change(3));
        assertThat(watch.poll(LONG)).isEmpty();
        assertThat(watch.poll()).isEmpty();
        assertThat(watch.dropped()).isEqualTo(1);
    }

    @Test
    @Promise(22)
    void closingAgainDoesNothing() {
        AtomicInteger closings = new AtomicInteger();
        BufferedWatch watch = new BufferedWatch(
                Dispatchers.request(options(1), event -> true, event -> event),
                Long.MIN_VALUE,
                closed -> closings.incrementAndGet());
        watch.close();
        watch.close();
        assertThat(closings).hasValue(1);
    }

    @Test
    void aLoopWaitsForSignalsAndEndsWithTheWatch() {
        BufferedWatch watch = watch(10);
        Waiter<List<WatchSignal>> reader = Waiter.start(() -> {
            List<WatchSignal> signals = new ArrayList<>();
            for (WatchSignal signal : watch) {
                signals.add(signal);
            }
            return signals;
        });
        offer(watch, 1, 3);
        watch.close();
        assertThat(reader.get()).containsExactly(change(1), change(2), change(3));
    }

    @Test
    void anIteratorAsksOnceForEachSignal() {
        BufferedWatch watch = watch(10);
        offer(watch, 1, 2);
        Iterator<WatchSignal> iterator = watch.iterator();
        assertThat(iterator.hasNext()).isTrue();
        assertThat(iterator.hasNext()).isTrue();
        assertThat(iterator.next()).isEqualTo(change(1));
        assertThat(iterator.next()).isEqualTo(change(2));
        watch.close();
        assertThat(iterator.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
    }

    @Test
    void anInterruptEndsALoopAndLeavesTheRestToOthers() {
        BufferedWatch watch = watch(10);
        Waiter<Boolean> reader = Waiter.start(() -> {
            Iterator<WatchSignal> iterator = watch.iterator();
            boolean more = iterator.hasNext();
            boolean interrupted = Thread.interrupted();
            return interrupted && !more && !iterator.hasNext();
        });
        reader.interrupt();
        assertThat(reader.get()).isTrue();
        offer(watch, 1, 1);
        assertThat(watch.iterator().next()).isEqualTo(change(1));
    }

    @Test
    void anInterruptEndsWaitingAndLosesNoSignal() {
        BufferedWatch watch = watch(10);
        Waiter<Optional<WatchSignal>> reader = Waiter.start(() -> {
            try {
                return watch.poll(LONG);
            } catch (InterruptedException e) {
                return watch.poll(LONG);
            }
        });
        reader.interrupt();
        offer(watch, 1, 1);
        assertThat(reader.get()).contains(change(1));
    }

    @Test
    void aThreadThatIsInterruptedAlreadyIsToldSoBeforeItTakesASignal() {
        BufferedWatch watch = watch(10);
        offer(watch, 1, 1);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> watch.poll(LONG));
        assertThat(watch.poll()).contains(change(1));
    }

    @Test
    void aReaderThatSitsInItsCodeNeverHoldsUpAWriter() {
        BufferedWatch watch = watch(3);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<List<WatchSignal>> reader = Threads.start(thread -> {
            List<WatchSignal> signals = new ArrayList<>();
            for (WatchSignal signal : watch) {
                inside.countDown();
                Threads.await(release);
                signals.add(signal);
            }
            return signals;
        });
        offer(watch, 1, 1);
        Threads.await(inside);
        Future<Boolean> writer = Threads.start(thread -> {
            offer(watch, 2, 10_000);
            return true;
        });
        assertThat(Threads.get(writer)).isTrue();
        watch.close();
        release.countDown();
        assertThat(Threads.get(reader))
                .containsExactly(change(1), gap(2, 9_996), change(9_998), change(9_999), change(10_000));
        assertThat(watch.dropped()).isEqualTo(9_996);
    }

    @Test
    @Promise({13, 15})
    void eachSignalGoesToOneOfManyReaders() {
        int events = 20_000;
        BufferedWatch watch = watch(8);
        List<List<WatchSignal>> read = Threads.together(4, thread -> {
            List<WatchSignal> signals = new ArrayList<>();
            if (thread == 0) {
                offer(watch, 1, events);
                watch.close();
            } else if (thread == 1) {
                while (!watch.isClosed()) {
                    watch.poll().ifPresent(signals::add);
                }
            } else {
                watch.forEach(signals::add);
            }
            return signals;
        });
        List<WatchSignal> all = Stream.concat(read.stream().flatMap(List::stream), drain(watch).stream())
                .toList();
        long changes = all.stream().filter(Change.class::isInstance).count();
        long missed = all.stream()
                .mapToLong(signal -> signal instanceof Gap gap ? gap.missed() : 0)
                .sum();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(changes + missed).isEqualTo(events);
        assertThat(missed).isEqualTo(watch.dropped());
        assertThat(read).allSatisfy(signals -> assertThat(signals.stream().map(BufferedWatchTests::sequence))
                .isSorted());
    }

    private static long sequence(WatchSignal signal) {
        return signal instanceof Gap gap
                ? gap.fromSequence()
                : ((Change) signal).event().sequence();
    }

    private static WatchOptions options(int capacity) {
        return WatchOptions.defaults().withCapacity(capacity);
    }

    private static BufferedWatch watch(int capacity) {
        return new BufferedWatch(
                Dispatchers.request(options(capacity), event -> true, event -> event), Long.MIN_VALUE, closed -> {});
    }

    private static void offer(BufferedWatch watch, int first, int last) {
        for (int sequence = first; sequence <= last; sequence++) {
            watch.offer(event(sequence));
        }
    }

    private static List<WatchSignal> drain(BufferedWatch watch) {
        return Stream.generate(watch::poll)
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }
}
