package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.exception.StoreLockedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An interrupt ends waits; it fails no work, and is there afterwards for the caller to see. */
@Promise(23)
class InterruptTests {

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    @Promise({11, 23})
    void anInterruptedThreadOpensReadsWritesAndCloses() {
        Thread.currentThread().interrupt();
        try (Store store = Store.open(file)) {
            TextGroup group = store.group("group");
            group.put("key", "value");
            assertThat(group.get("key")).contains("value");
            assertThat(group.entries(KeyRange.all())).hasSize(1);
            assertThat(group.async().putIfAbsent("other", "value").join()).isPresent();
            assertThat(group.getOrPut("loaded", Duration.ofHours(1), () -> "value"))
                    .isEqualTo("value");
            assertThat(store.<Boolean>transact(tx -> tx.group("group").delete("other")))
                    .isTrue();
            store.check();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(Thread.interrupted()).isTrue();
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("key", "loaded");
        }
    }

    @Tag("slow")
    @Test
    void theFirstStoreOfAProcessMayBeOpenedByAnInterruptedThread() throws IOException {
        try (ChildJvm program = ChildJvm.start(InterruptedProgram.class, file)) {
            assertThat(program.await("read")).isEqualTo("value");
            assertThat(program.await("interrupted")).isEqualTo("true");
        }
    }

    @Test
    @Promise({20, 23})
    void anInterruptedThreadDoesNotWaitForAFileThatIsInUse() {
        try (Store first = Store.open(file)) {
            Thread.currentThread().interrupt();
            long begun = System.nanoTime();
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(this::openPatiently);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(first.count()).isZero();
        }
        openPatiently().close();
    }

    @Test
    @Promise({20, 23})
    void anInterruptEndsTheWaitForAnotherProcess() throws IOException {
        try (ChildJvm holder = ChildJvm.start(HoldingProgram.class, file)) {
            holder.await("open");
            CountDownLatch opening = new CountDownLatch(1);
            AtomicReference<Thread> waiting = new AtomicReference<>();
            Future<Boolean> interrupted = Threads.start(thread -> {
                waiting.set(Thread.currentThread());
                opening.countDown();
                assertThatExceptionOfType(StoreLockedException.class).isThrownBy(this::openPatiently);
                return Thread.currentThread().isInterrupted();
            });
            Threads.await(opening);
            Objects.requireNonNull(waiting.get()).interrupt();
            assertThat(Threads.get(interrupted)).isTrue();
            holder.tell("close");
            holder.await("closed");
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Test
    @Promise({11, 23})
    void interruptsDuringWritesAndReadsLoseNothing() {
        try (Store store = Store.open(file)) {
            TextGroup group = store.group("group");
            AtomicReference<Thread> working = new AtomicReference<>();
            CountDownLatch started = new CountDownLatch(1);
            Future<Boolean> work = Threads.start(thread -> {
                working.set(Thread.currentThread());
                started.countDown();
                for (int i = 0; i < 2_000; i++) {
                    group.put("key" + i, "value");
                    assertThat(group.get("key" + i)).contains("value");
                }
                return true;
            });
            Threads.await(started);
            while (!work.isDone()) {
                Objects.requireNonNull(working.get()).interrupt();
                Thread.onSpinWait();
            }
            assertThat(Threads.get(work)).isTrue();
            assertThat(group.count()).isEqualTo(2_000);
        }
    }

    private Store openPatiently() {
        return Store.builder().path(file).lockTimeout(Duration.ofMinutes(5)).open();
    }
}
