package dev.ttlstore.engine.support;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A thread that others rely on. */
@Promise(24)
class OnDemandThreadTests {

    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger created = new AtomicInteger();

    /** The first thread dies before it has done anything, as on a full heap. */
    private final ThreadFactory mortal =
            work -> created.getAndIncrement() == 0 ? new Thread(() -> {}) : new Thread(work);

    @Test
    void whatADeadThreadWasWokenForIsDoneByTheNextOne() {
        OnDemandThread thread = new OnDemandThread(mortal, "Tests", done::incrementAndGet, false);
        thread.wake();
        Awaitility.await().untilAsserted(() -> {
            thread.wake();
            assertThat(done.get()).isPositive();
        });
        assertThat(created.get()).isEqualTo(2);
        thread.close();
    }

    @Test
    void workThatFailsForWantOfMemoryIsDoneAgain() {
        OnDemandThread thread = new OnDemandThread(
                BackgroundThreads.named("test"),
                "Tests",
                () -> {
                    if (done.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("on purpose");
                    }
                },
                false);
        thread.wake();
        Awaitility.await().untilAsserted(() -> assertThat(done.get()).isEqualTo(2));
        thread.close();
    }

    @Test
    void anInterruptThatAListenerHasLeftDoesNotKeepTheThreadBusy() {
        OnDemandThread thread = new OnDemandThread(
                BackgroundThreads.named("test"),
                "Tests",
                () -> {
                    done.incrementAndGet();
                    Thread.currentThread().interrupt();
                },
                false);
        thread.wake();
        Awaitility.await().untilAsserted(() -> assertThat(done.get()).isEqualTo(1));
        thread.wake();
        Awaitility.await().untilAsserted(() -> assertThat(done.get()).isEqualTo(2));
        thread.close();
    }
}
