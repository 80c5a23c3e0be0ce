package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.WatchOptions;

import static dev.ttlstore.contract.Assertions.assertThat;
import static dev.ttlstore.internal.watch.Events.change;
import static dev.ttlstore.internal.watch.Events.event;
import static dev.ttlstore.internal.watch.Events.gap;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A reader of a watch that waits without a thread. */
@Promise(15)
class WaitingReaderTests {

    private final AtomicInteger calls = new AtomicInteger();
    private final BufferedWatch watch = watch(WatchRequest.InitialSignals.NONE);

    private static BufferedWatch watch(WatchRequest.InitialSignals start) {
        return new BufferedWatch(
                new WatchRequest("group", WatchOptions.defaults(), event -> true, event -> event, start),
                0,
                closed -> {});
    }

    @Test
    void theNextChangeWakesItOnce() {
        watch.onReady(calls::incrementAndGet);
        assertThat(calls).hasValue(0);
        watch.offer(event(1));
        watch.offer(event(2));
        assertThat(calls).hasValue(1);
        assertThat(watch.poll()).contains(change(1));
    }

    @Test
    void aChangeThatIsThereWakesItAtOnce() {
        watch.offer(event(1));
        watch.onReady(calls::incrementAndGet);
        assertThat(calls).hasValue(1);
    }

    @Test
    void aLossWakesIt() {
        watch.onReady(calls::incrementAndGet);
        watch.lost(7);
        assertThat(calls).hasValue(1);
        assertThat(watch.poll()).contains(gap(7, 1));
    }

    @Test
    @Promise(22)
    void theEndWakesIt() {
        watch.onReady(calls::incrementAndGet);
        watch.close();
        watch.onReady(calls::incrementAndGet);
        assertThat(calls).hasValue(2);
    }

    @Test
    void existingEntriesWakeItBeforeTheyAreRead() {
        watch(from -> List.of()).onReady(calls::incrementAndGet);
        assertThat(calls).hasValue(1);
    }

    @Test
    void anotherOneIsRefusedWhileOneWaits() {
        watch.onReady(calls::incrementAndGet);
        assertThatIllegalStateException()
                .isThrownBy(() -> watch.onReady(calls::incrementAndGet))
                .withMessageContaining("open a watch for each reader");
        watch.offer(event(1));
        watch.onReady(calls::incrementAndGet);
        assertThat(calls).hasValue(2);
    }

    /** There may be no memory. */
    @Test
    @Promise({15, 24})
    void aFailureReachesNoWriterAndTheNextChangeTriesAgain() {
        watch.onReady(() -> {
            if (calls.incrementAndGet() == 1) {
                throw new OutOfMemoryError("for the test");
            }
        });
        assertThat(watch.offer(event(1))).isTrue();
        assertThat(watch.offer(event(2))).isTrue();
        assertThat(calls).hasValue(2);
    }
}
