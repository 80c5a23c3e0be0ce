package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class CommitPipelineTests {

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(clock);
    private final EventDispatcher dispatcher = Dispatchers.plain();
    private final Recorder recorder = new Recorder();
    private final CountDownLatch inCommit = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CommitPipeline pipeline = pipeline(dispatcher);

    @BeforeEach
    void listen() {
        Dispatchers.subscribe(dispatcher, recorder);
    }

    @Test
    @Promise(11)
    void writersThatWaitShareACommit() {
        Future<Boolean> first = holdUpACommit();
        List<Future<Boolean>> waiting = waitingPuts("a", "b", "c", "d");
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        waiting.forEach(put -> assertThat(Threads.get(put)).isTrue());
        assertThat(engine.commits()).isEqualTo(2);
        assertThat(engine.rows()).hasSize(5);
        assertSequenceRises();
    }

    @Test
    @Promise(8)
    void aWriteThatTheEngineRefusesFailsAloneAndTheOthersOfItsCommitStand() {
        Future<Boolean> first = holdUpACommit();
        List<Future<Boolean>> waiting = waitingPuts("a", "too large", "c");
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        assertThat(Threads.get(waiting.get(0))).isTrue();
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> Threads.get(waiting.get(1)));
        assertThat(Threads.get(waiting.get(2))).isTrue();
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("first"), Rows.key("a"), Rows.key("c"));
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::key)
                .containsExactlyInAnyOrder("first", "a", "c");
        assertSequenceRises();
    }

    @Test
    @Promise(8)
    void aMutationThatThrowsFailsAlone() {
        Mutation<Boolean> failing = Writes.failing(new IllegalArgumentException("on purpose"), Rows.key("bad"));
        Future<Boolean> first = holdUpACommit();
        Future<Boolean> bad = waiting(() -> Writes.submit(pipeline, failing));
        List<Future<Boolean>> good = waitingPuts("a");
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Threads.get(bad));
        assertThat(Threads.get(good.get(0))).isTrue();
        assertThat(engine.commits()).isEqualTo(2);
    }

    @Test
    @Promise(8)
    void anErrorReachesItsCallerAloneToo() {
        Mutation<Boolean> failing = Writes.failing(new StackOverflowError("on purpose"), Rows.key("bad"));
        assertThat(catchThrowable(() -> Writes.submit(pipeline, failing))).isInstanceOf(StackOverflowError.class);
        Writes.submit(pipeline, put("a"));
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("a"));
    }

    @Test
    @Promise({9, 10})
    void aConflictDecidesAgainFromWhatTheOtherOwnerHasWritten() {
        AtomicBoolean first = new AtomicBoolean(true);
        engine.onCommit(transaction -> {
            if (first.getAndSet(false)) {
                engine.putByAnother(Rows.permanent("a", 50_000));
                throw new ConflictException("a row has changed");
            }
        });
        OptionalLong won = Writes.submit(pipeline, Writes.putIfAbsent(Rows.key("a"), new byte[] {1}, ExpiryRule.NEVER));
        assertThat(won).isEmpty();
        assertThat(engine.rows()).hasEntrySatisfying(Rows.key("a"), row -> assertThat(row.version())
                .isEqualTo(50_000));
        assertThat(recorder.events()).isEmpty();
        long version = Writes.submit(pipeline, Mutation.put(Rows.key("b"), new byte[] {1}, ExpiryRule.NEVER));
        assertThat(version).isGreaterThan(50_000);
    }

    @Test
    @Promise({15, 24})
    void eventsThatACommitHasNoMemoryToQueueAreAGap() {
        AtomicBoolean noMemory = new AtomicBoolean();
        EventDispatcher narrow = Dispatchers.withHistory(10, watched -> {
            if (noMemory.get()) {
                throw new OutOfMemoryError("on purpose");
            }
            return "";
        });
        CommitPipeline writing = pipeline(narrow);
        Watch watch = Dispatchers.watch(narrow, Dispatchers.all());
        noMemory.set(true);
        long version = Writes.submit(writing, put("a"));
        noMemory.set(false);
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("a"));
        assertThat(watch.poll()).contains(new WatchSignal.Gap(version, 1));
        assertThat(watch.poll()).isEmpty();
    }

    @Test
    @Promise({8, 9})
    void aCommitOfUnknownOutcomeIsNotRunAgain() {
        Future<Boolean> first = holdUpACommit();
        List<Future<Boolean>> waiting = waitingPuts("a", "b", "c");
        AtomicInteger lost = new AtomicInteger();
        engine.afterCommit(() -> {
            if (engine.commits() == 2) {
                lost.incrementAndGet();
                throw new OutcomeUnknownException("The connection was lost", new IllegalStateException());
            }
        });
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        for (Future<Boolean> put : waiting) {
            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Threads.get(put));
        }
        assertThat(lost).hasValue(1);
        assertThat(engine.commits()).isEqualTo(2);
        long highest =
                engine.rows().values().stream().mapToLong(Row::version).max().orElseThrow();
        long next = Writes.submit(pipeline, Mutation.put(Rows.key("d"), new byte[] {1}, ExpiryRule.NEVER));
        assertThat(next).isGreaterThan(highest);
    }

    @Test
    @Promise({8, 9})
    void aTransactionRunsAgainAfterAConflictAndOnceIfItsOutcomeIsUnknown() {
        AtomicInteger runs = new AtomicInteger();
        engine.onCommit(transaction -> {
            if (runs.get() == 1) {
                engine.putByAnother(Rows.permanent("a", 50_000));
                throw new ConflictException("a row has changed");
            }
        });
        long seen = pipeline.transact(view -> {
            runs.incrementAndGet();
            Row row = view.reads().get(Rows.key("a"), Reads.NOW);
            Writes.apply(view, Mutation.put(Rows.key("b"), new byte[] {1}, ExpiryRule.NEVER));
            return row == null ? 0 : row.version();
        });
        assertThat(seen).isEqualTo(50_000);
        assertThat(runs).hasValue(2);
        runs.set(10);
        engine.afterCommit(() -> {
            throw new OutcomeUnknownException("The connection was lost", new IllegalStateException());
        });
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> pipeline.transact(view -> {
                    runs.incrementAndGet();
                    return Writes.apply(view, Mutation.put(Rows.key("c"), new byte[] {1}, ExpiryRule.NEVER));
                }));
        assertThat(runs).hasValue(11);
    }

    @Test
    @Promise(8)
    void aRangeCommandThatFailsIsRolledBackWhole() {
        engine.put(Rows.expiring("a", 1, Rows.NOW));
        engine.put(Rows.permanent("b", 2));
        engine.onCommit(transaction -> {
            throw full();
        });
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> pipeline.clear(GroupRange.only("group")));
        assertThat(engine.rows()).hasSize(2);
        assertThat(recorder.events()).isEmpty();
        engine.onCommit(transaction -> {});
        assertThat(pipeline.clear(GroupRange.only("group"))).isEqualTo(1);
        assertThat(recorder.events()).hasSize(2);
    }

    @Test
    @Promise(6)
    void aRangeCommandHasACommitOfItsOwn() {
        Future<Boolean> first = holdUpACommit();
        List<Future<Boolean>> before = waitingPuts("a");
        Future<Boolean> clear = waiting(() -> pipeline.clear(GroupRange.only("group")));
        List<Future<Boolean>> after = waitingPuts("b", "c");
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        before.forEach(put -> assertThat(Threads.get(put)).isTrue());
        assertThat(Threads.get(clear)).isTrue();
        after.forEach(put -> assertThat(Threads.get(put)).isTrue());
        assertThat(engine.commits()).isEqualTo(4);
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("b"), Rows.key("c"));
    }

    @Test
    @Promise(22)
    void closingCommitsWhatIsQueuedAndRefusesWhatComesLater() {
        Future<Boolean> first = holdUpACommit();
        List<Future<Boolean>> waiting = new ArrayList<>(waitingPuts("a", "b"));
        Future<Boolean> closing = waiting(() -> {
            pipeline.close(Deadline.in(Duration.ofSeconds(30)));
            return 0L;
        });
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        assertThat(Threads.get(closing)).isTrue();
        waiting.forEach(put -> assertThat(Threads.get(put)).isTrue());
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("first"), Rows.key("a"), Rows.key("b"));
        assertThat(recorder.events()).hasSize(3);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> Writes.submit(pipeline, put("late")));
    }

    @Test
    @Promise(22)
    void closingDoesNotWaitForCommitsOfASilentEngineForLongerThanItMay() {
        Future<Boolean> first = holdUpACommit();
        CountDownLatch silent = new CountDownLatch(1);
        List<Future<Boolean>> waiting = new ArrayList<>(waitingPuts("a", "b"));
        Future<Boolean> closing = waiting(() -> {
            pipeline.close(Deadline.in(Duration.ofMillis(300)));
            return 0L;
        });
        engine.onCommit(transaction -> Threads.await(silent));
        release.countDown();
        assertThat(Threads.get(first)).isTrue();
        assertThat(Threads.get(closing)).isTrue();
        waiting.forEach(
                put -> assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Threads.get(put)));
        silent.countDown();
        Awaitility.await().until(() -> engine.rows().keySet().containsAll(List.of(Rows.key("a"), Rows.key("b"))));
    }

    private CommitPipeline pipeline(EventDispatcher dispatching) {
        return PipelineBuilder.on(engine).dispatcher(dispatching).build();
    }

    /** Begins a write whose commit waits for {@link #release}; from then on one that is too large is refused. */
    private Future<Boolean> holdUpACommit() {
        engine.onCommit(transaction -> {
            inCommit.countDown();
            Threads.await(release);
            if (transaction.rows().containsKey(Rows.key("too large"))) {
                throw full();
            }
        });
        Future<Boolean> first = Threads.start(thread -> {
            Writes.submit(pipeline, put("first"));
            return true;
        });
        Threads.await(inCommit);
        return first;
    }

    private List<Future<Boolean>> waitingPuts(String... keys) {
        List<Future<Boolean>> puts = new ArrayList<>();
        for (String key : keys) {
            puts.add(waiting(() -> Writes.submit(pipeline, put(key))));
        }
        return puts;
    }

    private interface Write {
        Object run();
    }

    /** Begins a write, and returns when it waits for a writer. */
    private static Future<Boolean> waiting(Write write) {
        FutureTask<Boolean> submission = new FutureTask<>(() -> {
            Object unused = write.run();
            return true;
        });
        Thread thread = new Thread(submission);
        thread.start();
        Awaitility.await().until(() -> Threads.isWaiting(thread));
        return submission;
    }

    private static Mutation<Long> put(String key) {
        return Mutation.put(Rows.key(key), Rows.value("new"), ExpiryRule.NEVER);
    }

    private static StoreFullException full() {
        return new StoreFullException("on purpose", new IllegalStateException());
    }

    private void assertSequenceRises() {
        assertThat(recorder.events().stream().mapToLong(StoreEvent::sequence).toArray())
                .isSorted()
                .doesNotHaveDuplicates();
    }
}
