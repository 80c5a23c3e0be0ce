package dev.ttlstore.internal.watch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.WatchOptions;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.gap;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A watch and its subscriber. */
@Promise(15)
class WatchSubscriptionTests {

    private BufferedWatch watch = watch(100);

    @AfterEach
    void end() {
        watch.close();
        while (watch.poll().isPresent()) {
            // so that subscribers complete
        }
    }

    @Test
    void aSubscriberIsGivenWhatItRequestsAndNoMore() {
        RecordingSubscriber subscriber = new RecordingSubscriber(2);
        watch.subscribe(subscriber);
        offer(1, 4);
        assertThat(subscriber.awaitSignals(2)).containsExactly(change(1), change(2));
        subscriber.awaitIdle();
        assertThat(subscriber.signals()).hasSize(2);
        assertThat(watch.poll()).contains(change(3));
        subscriber.subscription().request(1);
        assertThat(subscriber.awaitSignals(3)).endsWith(change(4));
    }

    @Test
    void aSubscriberIsGivenNothingBeforeItRequests() {
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        offer(1, 1);
        subscriber.awaitIdle();
        assertThat(subscriber.signals()).isEmpty();
        subscriber.subscription().request(1);
        assertThat(subscriber.awaitSignals(1)).containsExactly(change(1));
    }

    @Test
    void requestsAddUp() {
        RecordingSubscriber subscriber = new RecordingSubscriber(1);
        watch.subscribe(subscriber);
        subscriber.subscription().request(1);
        subscriber.subscription().request(Long.MAX_VALUE);
        subscriber.subscription().request(Long.MAX_VALUE);
        offer(1, 50);
        assertThat(subscriber.awaitSignals(50)).hasSize(50);
    }

    @Test
    @Promise({13, 15})
    void aSubscriberThatRequestsOneByOneIsGivenAllInOrder() {
        watch = watch(10_000);
        CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        RecordingSubscriber subscriber =
                new RecordingSubscriber(1, signal -> subscription.join().request(1));
        watch.subscribe(subscriber);
        subscription.complete(subscriber.subscription());
        offer(1, 10_000);
        watch.close();
        subscriber.awaitCompletion();
        assertThat(subscriber.signals())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 10_000)
                        .mapToObj(Events::change)
                        .toList());
        assertThat(watch.dropped()).isZero();
    }

    @Test
    void aSubscriberIsCalledByOneDaemonThreadOfItsOwn() {
        RecordingSubscriber subscriber = new RecordingSubscriber(10);
        watch.subscribe(subscriber);
        offer(1, 3);
        subscriber.awaitSignals(3);
        watch.close();
        subscriber.awaitCompletion();
        assertThat(subscriber.callers())
                .hasSize(5)
                .containsOnly(subscriber.callers().get(0));
        assertThat(subscriber.callers().get(0)).isNotSameAs(Thread.currentThread());
        assertThat(subscriber.callers().get(0).isDaemon()).isTrue();
        subscriber.awaitThreadEnd();
    }

    @Test
    void aSlowSubscriberHoldsUpNoWriterAndIsToldWhatItMissed() {
        watch = watch(3);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RecordingSubscriber subscriber = new RecordingSubscriber(Long.MAX_VALUE, signal -> {
            inside.countDown();
            Threads.await(release);
        });
        watch.subscribe(subscriber);
        offer(1, 1);
        Threads.await(inside);
        Future<Boolean> writer = Threads.start(thread -> {
            offer(2, 10_000);
            return true;
        });
        assertThat(Threads.get(writer)).isTrue();
        release.countDown();
        assertThat(subscriber.awaitSignals(5))
                .containsExactly(change(1), gap(2, 9_996), change(9_998), change(9_999), change(10_000));
        assertThat(watch.dropped()).isEqualTo(9_996);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aRequestForLessThanOneIsAnErrorAndTheEnd(long n) {
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        subscriber.subscription().request(n);
        assertThat(subscriber.awaitError())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'n' must be more than zero, but is " + n);
        subscriber.awaitThreadEnd();
        subscriber.subscription().request(1);
        offer(1, 1);
        assertThat(watch.poll()).contains(change(1));
        assertThat(subscriber.signals()).isEmpty();
        assertThat(subscriber.isCompleted()).isFalse();
    }

    @Test
    void aSubscriberThatCancelsIsGivenNothingMore() {
        CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        RecordingSubscriber subscriber =
                new RecordingSubscriber(10, signal -> subscription.join().cancel());
        watch.subscribe(subscriber);
        subscription.complete(subscriber.subscription());
        offer(1, 3);
        subscriber.awaitThreadEnd();
        assertThat(subscriber.signals()).containsExactly(change(1));
        assertThat(subscriber.isCompleted()).isFalse();
        assertThat(subscriber.hasFailed()).isFalse();
        assertThat(watch.poll()).contains(change(2));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10})
    void cancellingWakesTheThreadWhateverItWaitsFor(long requested) {
        RecordingSubscriber subscriber = new RecordingSubscriber(requested);
        watch.subscribe(subscriber);
        subscriber.awaitIdle();
        subscriber.subscription().cancel();
        subscriber.awaitThreadEnd();
        assertThat(subscriber.isCompleted()).isFalse();
    }

    @Test
    void afterCancellingNothingDoesAnything() {
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        subscriber.subscription().cancel();
        subscriber.subscription().cancel();
        subscriber.subscription().request(1);
        subscriber.subscription().request(-1);
        offer(1, 1);
        subscriber.awaitThreadEnd();
        assertThat(subscriber.signals()).isEmpty();
        assertThat(subscriber.hasFailed()).isFalse();
    }

    @Test
    void anotherSubscriberIsRefusedWhileOneIsActive() {
        RecordingSubscriber first = new RecordingSubscriber(10);
        RecordingSubscriber second = new RecordingSubscriber(10);
        watch.subscribe(first);
        watch.subscribe(second);
        assertThat(second.awaitError())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already has a subscriber");
        second.awaitThreadEnd();
        offer(1, 1);
        assertThat(first.awaitSignals(1)).containsExactly(change(1));
        assertThat(second.signals()).isEmpty();
    }

    @Test
    void afterACancellationAnotherSubscriberGoesOn() {
        RecordingSubscriber first = new RecordingSubscriber(1);
        watch.subscribe(first);
        offer(1, 3);
        first.awaitSignals(1);
        first.subscription().cancel();
        RecordingSubscriber second = new RecordingSubscriber(10);
        watch.subscribe(second);
        assertThat(second.awaitSignals(2)).containsExactly(change(2), change(3));
        first.subscription().cancel();
        RecordingSubscriber third = new RecordingSubscriber(10);
        watch.subscribe(third);
        assertThat(third.awaitError()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSubscriberThatThrowsIsGivenNothingMoreAndHarmsNobody() {
        RecordingSubscriber failing = new RecordingSubscriber(10, signal -> {
            throw new StackOverflowError("thrown on purpose");
        });
        watch.subscribe(failing);
        offer(1, 2);
        failing.awaitThreadEnd();
        assertThat(failing.signals()).containsExactly(change(1));
        RecordingSubscriber next = new RecordingSubscriber(10);
        watch.subscribe(next);
        assertThat(next.awaitSignals(1)).containsExactly(change(2));
    }

    @Test
    @Promise({15, 22})
    void aSubscriberCompletesWhenTheWatchIsClosedThoughItRequestsNothing() {
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        subscriber.awaitIdle();
        watch.close();
        subscriber.awaitCompletion();
        subscriber.awaitThreadEnd();
    }

    @Test
    @Promise({15, 22})
    void aSubscriberCompletesAfterItHasBeenGivenWhatIsInTheBuffer() {
        RecordingSubscriber subscriber = new RecordingSubscriber(1);
        watch.subscribe(subscriber);
        offer(1, 3);
        watch.close();
        subscriber.awaitSignals(1);
        subscriber.awaitIdle();
        assertThat(subscriber.isCompleted()).isFalse();
        subscriber.subscription().request(2);
        subscriber.awaitCompletion();
        assertThat(subscriber.signals()).containsExactly(change(1), change(2), change(3));
    }

    @Test
    @Promise({15, 22})
    void aSubscriberCompletesWhenAnotherReaderHasTakenTheRest() {
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        offer(1, 1);
        watch.close();
        subscriber.awaitIdle();
        assertThat(subscriber.isCompleted()).isFalse();
        assertThat(watch.poll()).contains(change(1));
        subscriber.awaitCompletion();
    }

    @Test
    @Promise(22)
    void aSubscriberOfAClosedWatchIsGivenTheRestAndCompletes() {
        offer(1, 2);
        watch.close();
        RecordingSubscriber subscriber = new RecordingSubscriber(10);
        watch.subscribe(subscriber);
        subscriber.awaitCompletion();
        assertThat(subscriber.signals()).containsExactly(change(1), change(2));
    }

    @Test
    void aSubscriberMayCloseTheWatch() {
        RecordingSubscriber subscriber = new RecordingSubscriber(10, signal -> watch.close());
        watch.subscribe(subscriber);
        offer(1, 1);
        subscriber.awaitCompletion();
        assertThat(subscriber.signals()).containsExactly(change(1));
    }

    @Test
    void anInterruptInASubscriberEndsNothing() {
        RecordingSubscriber subscriber =
                new RecordingSubscriber(10, signal -> Thread.currentThread().interrupt());
        watch.subscribe(subscriber);
        offer(1, 1);
        subscriber.awaitSignals(1);
        subscriber.awaitIdle();
        offer(2, 2);
        assertThat(subscriber.awaitSignals(2)).containsExactly(change(1), change(2));
    }

    @Test
    @SuppressWarnings("NullAway") // to see it refused
    void noSubscriberIsRefused() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> watch.subscribe(null))
                .withMessage("'subscriber' must not be null");
    }

    private static BufferedWatch watch(int capacity) {
        return new BufferedWatch(
                Dispatchers.request(WatchOptions.defaults().withCapacity(capacity), event -> true, event -> event),
                Long.MIN_VALUE,
                closed -> {});
    }

    private void offer(int first, int last) {
        for (int sequence = first; sequence <= last; sequence++) {
            watch.offer(event(sequence));
        }
    }
}
