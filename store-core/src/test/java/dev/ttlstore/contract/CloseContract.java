package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A store that is closed while it is in use. */
@Promise(22)
abstract class CloseContract extends ContractArea {

    /** Opens the store anew, with a listener that does not return before the latch is open. */
    private Future<Boolean> blockAListener(CountDownLatch release, Duration closeTimeout) {
        open(settings().closeTimeout(closeTimeout));
        CountDownLatch blocked = new CountDownLatch(1);
        store().onChange(event -> {
            blocked.countDown();
            Threads.await(release);
        });
        Future<Boolean> writer = Threads.start(thread -> {
            group().put("first", "value");
            return true;
        });
        Threads.await(blocked);
        return writer;
    }

    @Test
    @Promise({14, 22})
    void aListenerThatDoesNotReturnHoldsTheClosingUpForNoLongerThanWasSaid() {
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> blocked = blockAListener(release, Duration.ofMillis(100));
        TextGroup group = group();
        Future<Boolean> other = Threads.start(thread -> {
            group.put("second", "value");
            return true;
        });
        await().until(() -> group.contains("second"));
        Threads.get(Threads.start(thread -> {
            store().close();
            return true;
        }));
        assertThat(blocked).isNotDone();
        assertThat(Threads.get(other)).isTrue(); // whoever waited behind it goes on
        release.countDown();
        assertThat(Threads.get(blocked)).isTrue();
    }

    @Test
    void closingAgainWaitsForTheClosingThatGoesOnUnlessThatWaitsForTheCaller() {
        CountDownLatch release = new CountDownLatch(1);
        open(settings().closeTimeout(Duration.ofMinutes(2)));
        CountDownLatch blocked = new CountDownLatch(1);
        store().onChange(event -> {
            blocked.countDown();
            Threads.await(release);
            store().close();
        });
        Future<Boolean> writer = Threads.start(thread -> {
            group().put("key", "value");
            return true;
        });
        Threads.await(blocked);
        List<Thread> closing = new CopyOnWriteArrayList<>();
        List<Future<Boolean>> closed = Stream.generate(() -> Threads.start(thread -> {
                    closing.add(Thread.currentThread());
                    store().close();
                    return true;
                }))
                .limit(2)
                .toList();
        await().until(() -> closing.size() == 2 && closing.stream().allMatch(Threads::isWaiting));
        assertThat(closed).noneMatch(Future::isDone);
        release.countDown();
        assertThat(closed).allMatch(Threads::get);
        assertThat(Threads.get(writer)).isTrue();
    }

    @Test
    @Promise({14, 22})
    void aListenerThatReturnsInTimeIsWaitedForAndWhatIsBehindItIsTold() {
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> blocked = blockAListener(release, Duration.ofMinutes(1));
        Recorder recorder = record();
        Future<?> unused = group().async().put("second", "value");
        Future<Boolean> closing = Threads.start(thread -> {
            store().close();
            return true;
        });
        release.countDown();
        assertThat(Threads.get(closing)).isTrue();
        assertThat(Threads.get(blocked)).isTrue();
        assertThat(recorder.events()).hasSizeGreaterThanOrEqualTo(1);
    }

    @Test
    @Promise(14)
    void theActivityTellsForHowLongAListenerHasBeenRunning() {
        assertThat(store().activity().listenerRunning()).isZero();
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> blocked = blockAListener(release, Duration.ofSeconds(30));
        assertThat(store().activity().listenerRunning()).isPositive();
        release.countDown();
        assertThat(Threads.get(blocked)).isTrue();
        assertThat(store().activity().listenerRunning()).isZero();
    }

    @Test
    @Promise({8, 22})
    void aTransactionThatDoesNotEndHoldsTheClosingUpForNoLongerThanWasSaidAndComesToNothing() {
        open(settings().closeTimeout(Duration.ofMillis(100)));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> transaction = Threads.start(thread -> store().transact(tx -> {
            tx.group("group").put("key", "value");
            inside.countDown();
            Threads.await(release);
            return true;
        }));
        Threads.await(inside);
        store().close();
        assertThat(transaction).isNotDone();
        release.countDown();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(transaction));
    }

    @Test
    @Promise({8, 22})
    void whoWaitsForATransactionThatDoesNotEndIsRefusedWhenTheStoreIsClosed() {
        open(settings().closeTimeout(Duration.ofMillis(100)));
        Store store = store();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Future<Boolean> transaction = Threads.start(thread -> store.transact(tx -> {
            inside.countDown();
            Threads.await(release);
            return true;
        }));
        Threads.await(inside);
        List<Thread> waiting = new CopyOnWriteArrayList<>();
        List<Callable<Object>> writes = List.of(
                () -> store.group("group").add("value"),
                () -> store.group("other").add("value"),
                () -> store.transact(tx -> tx.group("group").add("value")),
                store::purgeExpired,
                () -> store.group("group").clear());
        List<Future<?>> refused = new ArrayList<>();
        for (Callable<Object> write : writes) {
            refused.add(Threads.start(thread -> {
                waiting.add(Thread.currentThread());
                return write.call();
            }));
        }
        refused.add(group().async().put("key", "value"));
        refused.add(group().async().clear());
        await().until(() -> waiting.size() == writes.size() && waiting.stream().allMatch(Threads::isWaiting));
        store.close();
        assertThat(refused).allSatisfy(write -> assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(() -> Threads.get(write)));
        assertThat(transaction).isNotDone();
        release.countDown();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(transaction));
    }

    /** As one that waits for another machine. */
    private static Codec<String> blocking(CountDownLatch inside, CountDownLatch release) {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return Codec.text().encode(value);
            }

            @Override
            public String decode(byte[] bytes) {
                inside.countDown();
                Threads.await(release);
                return Codec.text().decode(bytes);
            }
        };
    }

    @Test
    void aCommitThatDoesNotEndHoldsTheClosingUpForNoLongerThanWasSaidAndNobodyWaitsForIt() {
        open(settings().closeTimeout(Duration.ofMillis(100)));
        Store store = store();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Group<String> decoding = store.group("group", blocking(inside, release));
        decoding.put("key", "value");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        Future<Boolean> transaction = Threads.start(thread -> store.transact(tx -> {
            begun.countDown();
            Threads.await(queued);
            return true;
        }));
        Threads.await(begun);
        List<Thread> writers = new CopyOnWriteArrayList<>();
        List<Future<Long>> sharing = Stream.of("one", "other", "third")
                .map(key -> Threads.start(thread -> {
                    writers.add(Thread.currentThread());
                    return store.group("group").put(key, "value");
                }))
                .toList();
        Future<Optional<String>> answered = decoding.async().getAndPut("key", "next");
        await().until(() -> writers.size() == sharing.size() && writers.stream().allMatch(Threads::isWaiting));
        queued.countDown();
        Threads.await(inside);
        assertThat(Threads.get(transaction)).isTrue();
        Future<Long> asynchronous = store.group("group").async().put("later", "value");
        Future<Long> synchronous = Threads.start(thread -> {
            writers.add(Thread.currentThread());
            return store.group("group").put("last", "value");
        });
        await().until(() -> synchronous.isDone()
                || (writers.size() > sharing.size() && Threads.isWaiting(writers.get(sharing.size()))));
        List<Future<Long>> waiting = Stream.of(asynchronous, synchronous)
                .filter(write -> !write.isDone()) // an engine may make other commits meanwhile
                .toList();
        Future<Boolean> closing = Threads.start(thread -> {
            store.close();
            return true;
        });
        assertThat(Threads.get(closing)).isTrue();
        for (Future<Long> refused : waiting) {
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Threads.get(refused));
        }
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Threads.get(answered));
        await().until(() -> sharing.stream().filter(Future::isDone).count() >= 2); // the third one may be what commits
        assertThat(sharing.stream().filter(Future::isDone))
                .allSatisfy(unknown -> assertThatExceptionOfType(OutcomeUnknownException.class)
                        .isThrownBy(() -> Threads.get(unknown)));
        release.countDown();
    }

    @Test
    void manyMayCloseAtOnce() {
        Store store = store();
        assertThatCode(() -> Threads.together(8, thread -> {
                    store.close();
                    return thread;
                }))
                .doesNotThrowAnyException();
    }

    @Test
    void anInterruptedThreadMayCloseAndStaysInterrupted() {
        open(settings().purgeInterval(Duration.ofMillis(1)));
        group().put("key", "value");
        Thread.currentThread().interrupt();
        store().close();
        assertThat(Thread.interrupted()).isTrue();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> group().get("key"));
    }

    @Test
    @Promise({13, 22})
    void whatWasWrittenBeforeTheClosingHasBeenToldWhenItReturns() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Recorder recorder = new Recorder();
        store().onChange(event -> {
            inside.countDown();
            Threads.await(release);
        });
        store().onChange(recorder);
        Future<Boolean> write = Threads.start(thread -> {
            group().put("key", "value");
            return true;
        });
        Threads.await(inside);
        Store store = store();
        Future<Boolean> closing = Threads.start(thread -> {
            store.close();
            return true;
        });
        release.countDown();
        assertThat(Threads.get(closing)).isTrue();
        assertThat(recorder.events()).hasSize(1);
        assertThat(Threads.get(write)).isTrue();
    }

    /** How many writes of each of the writers succeeded until the store was closed. */
    static List<Integer> writeUntilClosed(Store store, int writers) {
        CountDownLatch running = new CountDownLatch(writers);
        Future<Boolean> closing = Threads.start(thread -> {
            Threads.await(running);
            store.close();
            return true;
        });
        List<Integer> written = Threads.together(writers, writer -> {
            Group<String> mine = store.group("writer" + writer);
            int count = 0;
            try {
                while (true) {
                    mine.put("key" + count, "value");
                    count++;
                    if (count == 20) {
                        running.countDown();
                    }
                }
            } catch (StoreClosedException e) {
                return count;
            }
        });
        assertThat(Threads.get(closing)).isTrue();
        return written;
    }

    @Test
    void writersMeetEitherTheirOwnSuccessOrTheClosing() {
        assertThat(writeUntilClosed(store(), 8)).hasSize(8).allMatch(count -> count >= 20);
    }

    @Test
    void readersMeetEitherTheirAnswerOrTheClosing() {
        Store store = store();
        TextGroup group = group();
        group.put("key", "value");
        CountDownLatch running = new CountDownLatch(8);
        Future<Boolean> closing = Threads.start(thread -> {
            Threads.await(running);
            store.close();
            return true;
        });
        List<Boolean> ended = Threads.together(8, reader -> {
            assertThat(group.get("key")).contains("value");
            running.countDown();
            try {
                while (true) {
                    assertThat(group.get("key")).contains("value");
                    assertThat(group.getAll()).hasSize(1);
                }
            } catch (StoreClosedException e) {
                return true;
            }
        });
        assertThat(ended).hasSize(8).containsOnly(true);
        assertThat(Threads.get(closing)).isTrue();
    }
}
