package dev.ttlstore.internal.access;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Completions;

import static dev.ttlstore.contract.Assertions.assertThat;

class BulkThreadTests {

    private final AtomicBoolean mayStart = new AtomicBoolean(true);
    private final AtomicInteger done = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final BulkThread bulk = new BulkThread(new Completions(null), write -> {
        if (!mayStart.get()) {
            throw new OutOfMemoryError("unable to create native thread, on purpose");
        }
        return new Thread(write);
    });

    @AfterEach
    void close() {
        release.countDown();
        bulk.stop();
        bulk.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
    }

    @Test
    @Promise(23)
    void aThreadThatCannotBeCreatedFailsTheFutureAndNotTheCaller() {
        mayStart.set(false);
        assertThat(bulk.submit(done::incrementAndGet))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreException.class);
        mayStart.set(true);
        assertThat(Threads.get(bulk.submit(done::incrementAndGet))).isEqualTo(1);
    }

    @Test
    @Promise(23)
    void anErrorFailsItsOwnFutureOnly() {
        CompletableFuture<Long> failed = bulk.submit(() -> {
            throw new StackOverflowError("on purpose");
        });
        assertThat(Threads.get(bulk.submit(done::incrementAndGet))).isEqualTo(1);
        assertThat(failed)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StackOverflowError.class);
    }

    @Test
    @Promise(24)
    void aCallerWaitsWhileTooManyWritesWait() {
        CompletableFuture<Long> running = bulk.submit(this::held);
        Threads.await(begun);
        for (int i = 1; i < BulkThread.MOST_WAITING / BulkThread.BYTES_OF_WRITE; i++) {
            CompletableFuture<Long> unused = bulk.submit(done::incrementAndGet);
        }
        Waiter<CompletableFuture<Long>> waiting = Waiter.start(() -> bulk.submit(done::incrementAndGet));
        assertThat(waiting.isDone()).isFalse();
        release.countDown();
        assertThat(Threads.get(waiting.get())).isPositive();
        assertThat(running).isDone();
    }

    @Test
    @Promise({14, 24})
    void aListenerDoesNotWaitForTheWritesThatWaitForIt() {
        try (Store store = Store.inMemory()) {
            Group<String> group = store.group("group", String.class);
            group.put("removed", "value");
            List<CompletableFuture<Long>> writes = new ArrayList<>();
            long more = BulkThread.MOST_WAITING / BulkThread.BYTES_OF_WRITE + 2;
            store.onChange(event -> {
                while (event.group().equals("told") && writes.size() < more) {
                    writes.add(group.async().clear(KeyRange.prefix("removed")));
                }
            });
            long start = System.nanoTime();
            store.group("told", String.class).put("key", "value");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            assertThat(writes.stream().mapToLong(Threads::get).sum()).isEqualTo(1);
        }
    }

    @Test
    @Promise(22)
    void whatWaitsWhenItIsStoppedFailsAndWhatRunsMayEnd() {
        CompletableFuture<Long> running = bulk.submit(this::held);
        Threads.await(begun);
        CompletableFuture<Long> waiting = bulk.submit(done::incrementAndGet);
        bulk.stop();
        assertThat(waiting)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreClosedException.class);
        assertThat(running).isNotDone();
        release.countDown();
        bulk.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
        assertThat(Threads.get(running)).isEqualTo(7);
        assertThat(done).hasValue(0);
    }

    @Test
    @Promise(22)
    void whatDoesNotEndInTimeFails() {
        CompletableFuture<Long> running = bulk.submit(this::held);
        Threads.await(begun);
        bulk.stop();
        bulk.awaitStopped(Deadline.in(Duration.ZERO));
        assertThat(running)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreClosedException.class);
        assertThat(bulk.submit(done::incrementAndGet))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreClosedException.class);
    }

    @Test
    @Promise(24)
    void aThreadThatDiesBeforeItHasBegunIsReplaced() {
        AtomicInteger created = new AtomicInteger();
        CountDownLatch death = new CountDownLatch(1);
        BulkThread mortal = new BulkThread(
                new Completions(null),
                work -> new Thread(created.getAndIncrement() == 0 ? () -> Threads.await(death) : work));
        CompletableFuture<Long> first = mortal.submit(done::incrementAndGet);
        death.countDown(); // not before, or the write would be refused
        Awaitility.await().until(() -> {
            CompletableFuture<Long> unused = mortal.submit(() -> 0);
            return first.isDone();
        });
        assertThat(Threads.get(first)).isEqualTo(1);
        mortal.stop();
        mortal.awaitStopped(Deadline.in(Duration.ofSeconds(30)));
    }

    private long held() {
        begun.countDown();
        Threads.await(release);
        return 7;
    }
}
