package dev.ttlstore.internal.base;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(23)
class LockHolderTests {

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final CountDownLatch release = new CountDownLatch(1);
    private final LockHolder holder = new LockHolder(LockHolderTests.class.getName());

    @AfterEach
    void close() {
        release.countDown();
        thread.shutdown();
    }

    @Test
    void aThreadThatGoesOnElsewhereNeverGivesBackWhatItHas() {
        assertThat(holder.isLost()).isFalse();
        Threads.get(thread.submit(holder::taken));
        assertThat(holder.isLost()).isTrue();
        Threads.get(thread.submit(holder::givenBack));
        assertThat(holder.isLost()).isFalse();
    }

    @Test
    void aThreadThatIsBusyWithItDoes() {
        CountDownLatch begun = new CountDownLatch(1);
        Future<?> working = thread.submit(() -> {
            holder.taken();
            begun.countDown();
            Threads.await(release);
            holder.givenBack();
        });
        Threads.await(begun);
        assertThat(holder.isLost()).isFalse();
        release.countDown();
        Threads.get(working);
    }

    /** Newer JVMs cut its stack. */
    @Test
    void aThreadThatIsDeepInARecursionWithinItDoes() {
        CountDownLatch begun = new CountDownLatch(1);
        Future<?> working = thread.submit(() -> {
            holder.taken();
            Recursion.waitIn(2_000, begun, release);
            holder.givenBack();
        });
        Threads.await(begun);
        assertThat(holder.isLost()).isFalse();
        release.countDown();
        Threads.get(working);
    }
}
