package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.put;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A watch that starts with other signals, and what happens while they are read. */
@Promise(15)
class WatchHeadTests {

    private static final WatchSignal FIRST = new WatchSignal.Existing(put(1, "first"));
    private static final WatchSignal SECOND = new WatchSignal.Existing(put(2, "second"));

    private static final WatchSignal UP_TO_DATE = new WatchSignal.UpToDate(3);

    private final AtomicReference<@Nullable BufferedWatch> opened = new AtomicReference<>();

    private BufferedWatch watch(WatchRequest.InitialSignals start) {
        BufferedWatch watch = new BufferedWatch(
                new WatchRequest("group", WatchOptions.defaults(), event -> true, event -> event, start),
                3,
                closed -> {});
        opened.set(watch);
        return watch;
    }

    @AfterEach
    void close() {
        BufferedWatch watch = opened.get();
        if (watch != null) {
            watch.close();
        }
    }

    @Test
    @Promise(22)
    void aWatchThatIsClosedWhileItsFirstSignalsAreReadGivesNoneOfThem() {
        BufferedWatch watch = watch(before -> {
            close();
            return List.of(FIRST, SECOND);
        });
        watch.offer(event(3));
        assertThat(watch.poll()).isEmpty();
        assertThat(watch).isEmpty();
    }

    @Test
    @Promise(22)
    void aWatchThatIsClosedWhileItsLastSignalIsReadGivesNoChangesEither() {
        BufferedWatch watch = watch(before -> {
            close();
            return List.of(UP_TO_DATE);
        });
        watch.offer(event(3));
        assertThat(watch).isEmpty();
    }

    @Test
    void aWatchWhoseStoreIsClosedWhileItReadsGivesNoChanges() {
        BufferedWatch watch = watch(before -> List.of());
        watch.offer(event(3));
        assertThat(watch.poll()).isEmpty();
        close();
        assertThat(watch).isEmpty();
    }

    @Test
    void aWatchThatIsClosedOnceItsReaderIsUpToDateGivesTheChanges() {
        BufferedWatch watch = watch(before -> List.of(UP_TO_DATE));
        watch.offer(event(3));
        assertThat(watch.poll()).contains(UP_TO_DATE);
        close();
        assertThat(watch).containsExactly(change(3));
    }

    @Test
    @Promise(22)
    void aSubscriberOfAWatchThatIsClosedBeforeItIsUpToDateCompletesWithoutChanges() {
        BufferedWatch watch = watch(before -> List.of(FIRST, SECOND, UP_TO_DATE));
        watch.offer(event(3));
        RecordingSubscriber subscriber = new RecordingSubscriber(1);
        watch.subscribe(subscriber);
        assertThat(subscriber.awaitSignals(1)).containsExactly(FIRST);
        close();
        subscriber.awaitThreadEnd();
        assertThat(subscriber.signals()).containsExactly(FIRST);
        assertThat(subscriber.isCompleted()).isTrue();
    }

    private static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("thrown on purpose"), new StackOverflowError("thrown on purpose"));
    }

    private BufferedWatch watchThatFailsOnce(Throwable failure) {
        AtomicInteger pages = new AtomicInteger();
        return watch(before -> {
            int page = pages.getAndIncrement();
            if (page == 1) {
                throwIt(failure);
            }
            return page == 0 ? List.of(FIRST) : page == 2 ? List.of(SECOND, UP_TO_DATE) : List.of();
        });
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwIt(Throwable failure) throws E {
        throw (E) failure;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aReaderGetsTheFailureAndMayTryAgain(Throwable failure) {
        BufferedWatch watch = watchThatFailsOnce(failure);
        watch.offer(event(3));
        assertThat(watch.poll()).contains(FIRST);
        assertThatThrownBy(watch::poll).isSameAs(failure);
        assertThat(watch.poll()).contains(SECOND);
        assertThat(watch.poll()).contains(UP_TO_DATE);
        assertThat(watch.poll()).contains(change(3));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aSubscriberGetsTheFailureAndAnotherMayTryAgain(Throwable failure) {
        BufferedWatch watch = watchThatFailsOnce(failure);
        watch.offer(event(3));
        RecordingSubscriber subscriber = new RecordingSubscriber(10);
        watch.subscribe(subscriber);
        assertThat(subscriber.awaitError()).isSameAs(failure);
        assertThat(subscriber.signals()).containsExactly(FIRST);
        subscriber.awaitThreadEnd();
        assertThat(subscriber.isCompleted()).isFalse();
        RecordingSubscriber next = new RecordingSubscriber(10);
        watch.subscribe(next);
        assertThat(next.awaitSignals(3)).containsExactly(SECOND, UP_TO_DATE, change(3));
    }

    @Test
    void aSubscriberThatHasCancelledGetsNoFailure() {
        AtomicReference<@Nullable RecordingSubscriber> cancelling = new AtomicReference<>();
        BufferedWatch watch = watch(before -> {
            RecordingSubscriber subscriber = cancelling.get();
            if (subscriber != null) {
                subscriber.subscription().cancel();
            }
            throw new IllegalStateException("thrown on purpose");
        });
        RecordingSubscriber subscriber = new RecordingSubscriber(0);
        watch.subscribe(subscriber);
        cancelling.set(subscriber);
        subscriber.subscription().request(1);
        subscriber.awaitThreadEnd();
        assertThat(subscriber.hasFailed()).isFalse();
        assertThat(subscriber.isCompleted()).isFalse();
    }
}
