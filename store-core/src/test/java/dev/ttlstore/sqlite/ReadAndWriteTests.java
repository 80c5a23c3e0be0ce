package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(4)
class ReadAndWriteTests {

    @TempDir
    Path folder;

    @Test
    void aReadDoesNotWaitForAWriteThatIsUnderWay() {
        HaltingClock clock = new HaltingClock();
        try (Store store = Store.builder()
                .path(folder.resolve("store.db"))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open()) {
            TextGroup group = store.group("group");
            group.put("key", "before");
            group.put("expired", "value", Duration.ofMillis(1));
            clock.movable.advance(Duration.ofMillis(1));

            // The writer asks for the time within its transaction, and is kept waiting for it there.
            Future<Boolean> write = Threads.start(thread -> {
                clock.haltThisThread();
                group.put("key", "after");
                return true;
            });
            Threads.await(clock.halted);
            assertThat(group.get("key")).contains("before");
            assertThat(group.getAll()).containsOnlyKeys("key");
            assertThat(group.get("expired")).isEmpty();
            assertThat(group.count()).isEqualTo(1);
            assertThat(store.groups()).containsExactly("group");
            assertThat(write).isNotDone();

            clock.release.countDown();
            assertThat(Threads.get(write)).isTrue();
            assertThat(group.get("key")).contains("after");
        }
    }

    /** Keeps one thread waiting for the time. */
    private static final class HaltingClock implements InstantSource {

        private final MovableClock movable = new MovableClock();
        private final CountDownLatch halted = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private final ThreadLocal<Boolean> halt = ThreadLocal.withInitial(() -> false);

        private void haltThisThread() {
            halt.set(true);
        }

        @Override
        public Instant instant() {
            if (halt.get()) {
                halted.countDown();
                Threads.await(release);
            }
            return movable.instant();
        }
    }
}
