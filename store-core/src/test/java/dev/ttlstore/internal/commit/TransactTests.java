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
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.internal.base.Deadline;
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
    private final QuotaGuards quotas = new QuotaGuards();
    private final CommitPipeline pipeline = pipeline();

    private CommitPipeline pipeline() {
        return PipelineBuilder.on(engine).dispatcher(dispatcher).quotas(quotas).build();
    }

    @BeforeEach
    void listen() {
        dispatcher.subscribe(recorder);
    }

    @Test
    @Promise({8, 13})
    void nothingIsSeenOrToldBeforeTheWorkIsDone() {
        pipeline.submit(put("before")); // which sets versions aside
        int commits = engine.commits();
        recorder.clear();
        String answer = pipeline.transact(view -> {
            view.apply(put("a"));
            view.apply(put("b"));
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
            others.add(Waiter.start(() -> pipeline.submit(put("b"))));
            others.add(Waiter.start(() -> pipeline.transact(other -> other.apply(put("c")))));
            view.apply(put("a"));
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
        pipeline.submit(Mutations.put(Rows.key("ns:group", "old"), new byte[1], ExpiryTime.NEVER));
        UsageTotals usage = pipeline.ranges().usage("ns");
        int commits = engine.commits();

        assertThat(catchThrowable(() -> pipeline.transact(view -> {
                    view.apply(Mutations.put(Rows.key("ns:group", "new"), new byte[9], ExpiryTime.NEVER));
                    view.clear(GroupRange.ALL);
                    return fail(failure);
                })))
                .isSameAs(failure);

        assertThat(engine.commits()).isEqualTo(commits);
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("ns:group", "old"));
        assertThat(recorder.events()).hasSize(1);
        assertThat(pipeline.ranges().usage("ns")).isEqualTo(usage);
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
                .isThrownBy(() -> pipeline.transact(
                        view -> view.apply(Mutations.put(Rows.key("ns:group", "new"), new byte[9], ExpiryTime.NEVER))));
        engine.onCommit(transaction -> {});
        assertThat(engine.rows()).isEmpty();
        assertThat(recorder.events()).isEmpty();
        assertThat(pipeline.ranges().usage("ns")).isEqualTo(new UsageTotals(0, 0, 0));
    }

    @Test
    void aMutationThatFailsWithinItIsUndoneAloneWhenTheWorkGoesOn() {
        quotas.set("ns", Limit.keys(1));
        pipeline.transact(view -> {
            view.apply(Mutations.put(Rows.key("ns:group", "a"), new byte[1], ExpiryTime.NEVER));
            assertThat(catchThrowable(
                            () -> view.apply(Mutations.put(Rows.key("ns:group", "b"), new byte[1], ExpiryTime.NEVER))))
                    .isNotNull();
            return view.apply(put("c"));
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
                    seen.set(view.apply(put("a")));
                    throw new IllegalStateException("on purpose");
                }));
        assertThat(pipeline.submit(put("a"))).isGreaterThan(seen.get());
    }

    interface Use {
        void run(CommitPipeline pipeline);
    }

    static List<Use> uses() {
        return List.of(
                pipeline -> pipeline.submit(put("beside")),
                pipeline -> pipeline.ranges().clear(GroupRange.only("group")),
                pipeline -> pipeline.ranges().clear(GroupRange.ALL),
                pipeline -> pipeline.ranges().purge(GroupRange.ALL, Rows.NOW),
                pipeline -> pipeline.ranges().usage("ns"),
                pipeline -> pipeline.close(Deadline.in(Duration.ofSeconds(30)), IllegalStateException::new),
                CommitPipeline::requireNoTransaction,
                pipeline -> pipeline.transact(view -> true));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void theStoreCannotBeUsedBesideATransactionInsideOfIt(Use use) {
        pipeline.transact(view -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> use.run(pipeline))
                    .withMessageContaining("the groups of the transaction");
            return view.apply(put("a"));
        });
        assertThat(engine.rows()).containsOnlyKeys(Rows.key("a"));
        assertThat(pipeline.submit(put("b"))).isEqualTo(2);
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
        dispatcher.subscribe(event -> {
            told.add(event);
            if (told.size() == 1) {
                pipeline.transact(view -> view.apply(put("by the listener")));
            }
        });
        pipeline.transact(view -> view.apply(put("a")));
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
        return Mutations.put(Rows.key(key), Rows.value("new"), ExpiryTime.NEVER);
    }
}
