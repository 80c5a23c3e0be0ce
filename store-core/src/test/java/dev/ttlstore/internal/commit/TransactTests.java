package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Limit;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A caller's own commit: all of it or nothing. */
@Promise(8)
class TransactTests {

    private final FakeEngine engine = new FakeEngine(new MovableClock());
    private final EventDispatcher dispatcher = Dispatchers.plain();
    private final Recorder recorder = new Recorder();
    private final Quotas quotas = new Quotas();
    private final CommitPipeline pipeline = pipeline();

    private CommitPipeline pipeline() {
        return PipelineBuilder.on(engine).dispatcher(dispatcher).quotas(quotas).build();
    }

    @BeforeEach
    void listen() {
        Dispatchers.subscribe(dispatcher, recorder);
    }

    @Test
    @Promise({8, 13})
    void nothingIsSeenOrToldBeforeTheWorkIsDone() {
        Writes.submit(pipeline, put("before")); // which sets versions aside
        int commits = engine.commits();
        recorder.clear();
        String answer = pipeline.transact(view -> {
            Writes.apply(view, put("a"));
            Writes.apply(view, put("b"));
            assertThat(view.reads().count(Scan.groups(GroupRange.ALL, Reads.NOW, 1)))
                    .isEqualTo(3);
            assertThat(engine.rows()).hasSize(1);
            assertThat(recorder.events()).isEmpty();
            return "answer";
        });
        assertThat(answer).isEqualTo("answer");
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("before"), Rows.key("a"), Rows.key("b"));
        assertThat(engine.commits()).isEqualTo(commits + 1);
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::key).containsExactly("a", "b");
    }

    @Test
    void otherWritersWaitMeanwhile() {
        List<Waiter<Long>> others = new ArrayList<>();
        pipeline.transact(view -> {
            others.add(Waiter.start(() -> Writes.submit(pipeline, put("b"))));
            others.add(Waiter.start(() -> pipeline.transact(other -> Writes.apply(other, put("c")))));
            Writes.apply(view, put("a"));
            assertThat(others).noneMatch(Waiter::isDone);
            return true;
        });
        assertThat(others).allSatisfy(other -> assertThat(other.get()).isGreaterThan(1));
        assertThat(recorder.events(EntryPut.class).get(0).key()).isEqualTo("a");
        assertThat(engine.rows()).hasSize(3);
    }

    static List<Throwable> failures() {
        return List.of(new IllegalArgumentException("on purpose"), new StackOverflowError("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void workThatThrowsHasDoneNothing(Throwable failure) {
        quotas.set("ns", Limit.keys(5));
        Writes.submit(pipeline, Mutation.put(Rows.key("ns:group", "old"), new byte[1], ExpiryRule.NEVER));
        Amounts usage = pipeline.run(new Command.CountUsage("ns"));
        int commits = engine.commits();

        assertThat(catchThrowable(() -> pipeline.transact(view -> {
                    Writes.apply(view, Mutation.put(Rows.key("ns:group", "new"), new byte[9], ExpiryRule.NEVER));
                    view.clear(GroupRange.ALL);
                    return fail(failure);
                })))
                .isSameAs(failure);

        assertThat(engine.commits()).isEqualTo(commits);
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("ns:group", "old"));
        assertThat(recorder.events()).hasSize(1);
        assertThat(pipeline.run(new Command.CountUsage("ns"))).isEqualTo(usage);
        assertThatCode(pipeline::requireNoTransaction).doesNotThrowAnyException();
    }

    private static boolean fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    @Test
    void aCommitThatTheEngineRefusesHasDoneNothing() {
        quotas.set("ns", Limit.keys(5));
        engine.onCommit(transaction -> {
            throw new IllegalArgumentException("on purpose");
        });
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> pipeline.transact(view ->
                        Writes.apply(view, Mutation.put(Rows.key("ns:group", "new"), new byte[9], ExpiryRule.NEVER))));
        engine.onCommit(transaction -> {});
        assertThat(engine.rows()).isEmpty();
        assertThat(recorder.events()).isEmpty();
        assertThat(pipeline.run(new Command.CountUsage("ns"))).isEqualTo(new Amounts(0, 0, 0));
    }

    @Test
    void aMutationThatFailsWithinItIsUndoneAloneWhenTheWorkGoesOn() {
        quotas.set("ns", Limit.keys(1));
        pipeline.transact(view -> {
            Writes.apply(view, Mutation.put(Rows.key("ns:group", "a"), new byte[1], ExpiryRule.NEVER));
            assertThat(catchThrowable(() ->
                            Writes.apply(view, Mutation.put(Rows.key("ns:group", "b"), new byte[1], ExpiryRule.NEVER))))
                    .isNotNull();
            return Writes.apply(view, put("c"));
        });
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("ns:group", "a"), Rows.key("c"));
        assertThat(recorder.events(EntryPut.class)).extracting(EntryPut::key).containsExactly("a", "c");
    }

    @Test
    @Promise(9)
    void aVersionThatAFailedTransactionHasSeenNeverComesAgain() {
        AtomicLong seen = new AtomicLong();
        assertThatIllegalStateException()
                .isThrownBy(() -> pipeline.transact(view -> {
                    seen.set(Writes.apply(view, put("a")));
                    throw new IllegalStateException("on purpose");
                }));
        assertThat(Writes.submit(pipeline, put("a"))).isGreaterThan(seen.get());
    }

    interface Use {
        void run(CommitPipeline pipeline);
    }

    static List<Use> uses() {
        return List.of(
                pipeline -> Writes.submit(pipeline, put("beside")),
                pipeline -> pipeline.clear(GroupRange.only("group")),
                pipeline -> pipeline.clear(GroupRange.ALL),
                pipeline -> pipeline.purge(GroupRange.ALL, Rows.NOW),
                pipeline -> pipeline.run(new Command.CountUsage("ns")),
                pipeline -> pipeline.close(Deadline.in(Duration.ofSeconds(30))),
                used -> used.requireNoTransaction(),
                pipeline -> pipeline.transact(view -> true));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void theStoreCannotBeUsedBesideATransactionInsideOfIt(Use use) {
        pipeline.transact(view -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> use.run(pipeline))
                    .withMessageContaining("the groups of the transaction");
            return Writes.apply(view, put("a"));
        });
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("a"));
        assertThat(Writes.submit(pipeline, put("b"))).isEqualTo(2);
    }

    @Test
    void anotherThreadIsNotInTheTransaction() {
        boolean refused = pipeline.transact(view -> Waiter.start(() -> {
                    pipeline.requireNoTransaction();
                    return false;
                })
                .get());
        assertThat(refused).isFalse();
    }

    @Test
    @Promise({8, 14})
    void aListenerMayTransact() {
        List<StoreEvent> told = new ArrayList<>();
        Dispatchers.subscribe(dispatcher, event -> {
            told.add(event);
            if (told.size() == 1) {
                pipeline.transact(view -> Writes.apply(view, put("by the listener")));
            }
        });
        pipeline.transact(view -> Writes.apply(view, put("a")));
        assertThat(told).extracting(StoreEvent::sequence).containsExactly(1L, 2L);
    }

    @Test
    void aTransactionThatOnlyReadsTellsNothing() {
        engine.put(Rows.permanent("a", 1));
        assertThat(pipeline.<Boolean>transact(view -> view.reads().get(Rows.key("a"), Reads.NOW) == null))
                .isFalse();
        assertThat(recorder.events()).isEmpty();
    }

    private static Mutation<Long> put(String key) {
        return Mutation.put(Rows.key(key), Rows.value("new"), ExpiryRule.NEVER);
    }
}
