package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Readers beside the commit that renews an entry: who finds it expired waits, and nobody else. */
@Promise({4, 5})
class PendingRenewalsTests {

    private static final RowKey KEY = Rows.key("a");
    private static final long END = Rows.NOW + 10;

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(clock);
    private final CommitPipeline pipeline = PipelineBuilder.plain(engine);

    /** Ways to ask for the entry at the time of its end. */
    interface Reader {
        void await(PendingRenewals renewals);
    }

    static List<Reader> readersOfTheEntry() {
        return List.of(
                renewals -> renewals.await(KEY, END),
                renewals -> renewals.await(List.of(Rows.key("other"), KEY), END),
                renewals -> renewals.await(GroupRange.only("group"), END),
                renewals -> renewals.await(GroupRange.ALL, END + 1));
    }

    static List<Reader> otherReaders() {
        return List.of(
                renewals -> renewals.await(KEY, END - 1),
                renewals -> renewals.await(Rows.key("other"), END),
                renewals -> renewals.await(List.of(Rows.key("other")), END),
                renewals -> renewals.await(GroupRange.only("other"), END),
                renewals -> renewals.await(GroupRange.ALL, END - 1));
    }

    @ParameterizedTest
    @MethodSource("readersOfTheEntry")
    void whoFindsTheEntryExpiredWaitsForTheEndOfTheCommit(Reader reader) {
        engine.put(Rows.expiring("a", 1, END));
        Waiter<?>[] waiting = new Waiter<?>[1];
        engine.onCommit(transaction -> {
            waiting[0] = Waiter.start(() -> {
                reader.await(pipeline.renewals());
                return engine.rows().get(KEY);
            });
            assertThat(waiting[0].isDone()).isFalse();
        });
        assertThat(Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NEVER)))
                .isTrue();
        assertThat(waiting[0].get()).isEqualTo(engine.rows().get(KEY));
    }

    @ParameterizedTest
    @MethodSource("otherReaders")
    void nobodyElseWaits(Reader reader) {
        engine.put(Rows.expiring("a", 1, END));
        engine.onCommit(transaction -> reader.await(pipeline.renewals()));
        assertThat(Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NEVER)))
                .isTrue();
        assertThat(engine.commits()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("readersOfTheEntry")
    void nobodyWaitsForACommitThatDoesNotRenewIt(Reader reader) {
        engine.put(Rows.expiring("a", 1, END));
        engine.onCommit(transaction -> reader.await(pipeline.renewals()));
        assertThat(Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NOW)))
                .isTrue();
        assertThat(Writes.submit(pipeline, Writes.delete(KEY))).isFalse();
        Writes.submit(pipeline, Mutation.put(KEY, Rows.value("new"), ExpiryRule.NEVER));
        assertThat(engine.commits()).isEqualTo(3);
    }

    @Test
    void nobodyWaitsAfterACommitThatHasFailed() {
        engine.put(Rows.expiring("a", 1, END));
        engine.onCommit(transaction -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(fails(() -> Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NEVER))))
                .isTrue();
        assertThat(fails(() -> pipeline.transact(view -> Writes.apply(view, Writes.reschedule(KEY, ExpiryRule.NEVER)))))
                .isTrue();
        clock.advance(Duration.ofMillis(10));
        readersOfTheEntry().forEach(reader -> reader.await(pipeline.renewals()));
    }

    private static boolean fails(BooleanSupplier write) {
        try {
            return !write.getAsBoolean();
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    void aReaderThatIsInterruptedWaitsAllTheSameAndStaysInterrupted() {
        engine.put(Rows.expiring("a", 1, END));
        Waiter<?>[] waiting = new Waiter<?>[1];
        engine.onCommit(transaction -> {
            waiting[0] = Waiter.start(() -> {
                pipeline.renewals().await(KEY, END);
                return Thread.interrupted();
            });
            waiting[0].interrupt();
            assertThat(waiting[0].isDone()).isFalse();
        });
        assertThat(Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NEVER)))
                .isTrue();
        assertThat(waiting[0].get()).isEqualTo(true);
    }
}
