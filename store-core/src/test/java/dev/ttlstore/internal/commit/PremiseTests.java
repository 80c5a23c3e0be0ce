package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.decision.Condition;
import dev.ttlstore.internal.decision.Effect;
import dev.ttlstore.internal.decision.ExpiryRule;
import dev.ttlstore.internal.decision.Operation;
import dev.ttlstore.internal.decision.Request;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** What follows from a request alone, so that an engine may do without loading the row. */
@Promise({2, 3})
class PremiseTests {

    private static final RowKey A = Rows.key("a");
    private static final byte[] OLD = Rows.value("old");
    private static final byte[] NEW = Rows.value("new");
    private static final ExpiryRule SOON = ExpiryRule.after(Duration.ofMillis(5));
    private static final Condition TEST = Condition.test(row -> true);

    /** The row that stands in must lead to the same change as each row that is as expected. */
    @Test
    void theRowThatStandsInIsChanged() {
        List<Operation> expecting = List.of(
                new Operation(A, Condition.LIVE, Effect.reschedule(SOON)),
                new Operation(A, Condition.LIVE, Effect.put(NEW, SOON)),
                new Operation(A, Condition.value(OLD), Effect.put(NEW, SOON)),
                new Operation(A, Condition.version(7), Effect.put(NEW, SOON)),
                new Operation(A, Condition.LIVE, Effect.DELETE),
                new Operation(A, Condition.value(OLD), Effect.DELETE),
                new Operation(A, Condition.version(7), Effect.DELETE),
                new Operation(A, Condition.TEXT, Effect.DELETE, true),
                new Operation(A, Condition.ALWAYS, Effect.add(3, NEW, SOON)));
        for (Operation operation : expecting) {
            Premise premise = requireNonNull(premise(operation));
            assertThat(premise).isInstanceOf(Premise.Expecting.class);
            Draft draft = Bench.with(requireNonNull(premise.row())).draft();
            assertThat(draft.decide(Request.of(operation)).isApplied()).isTrue();
            assertThat(draft.rows().changes()).isOne();
        }
    }

    @Test
    void whatDependsOnMoreOfTheRowNeedsTheTrueOne() {
        ExpiryRule later = new ExpiryRule(ExpiryRule.Start.NOW, 5, Row.NEVER, ExpiryRule.Bound.LATER);
        List<Operation> looking = List.of(
                new Operation(A, Condition.LIVE, Effect.reschedule(later)),
                new Operation(A, Condition.TEXT, Effect.reschedule(ExpiryRule.KEEP), true),
                new Operation(A, Condition.LIVE, Effect.put(NEW, ExpiryRule.KEEP)),
                new Operation(A, Condition.ALWAYS, Effect.put(NEW, ExpiryRule.KEEP)),
                new Operation(A, Condition.ABSENT, Effect.put(NEW, SOON)),
                new Operation(A, TEST, Effect.put(NEW, SOON)),
                new Operation(A, TEST, Effect.DELETE),
                new Operation(A, Condition.createdBy(7), Effect.DELETE),
                new Operation(A, Condition.ALWAYS, Effect.add(Long.MAX_VALUE, NEW, SOON)),
                new Operation(A, Condition.ALWAYS, Effect.compute(value -> value, NEW, SOON)),
                new Operation(A, Condition.LIVE, Effect.MEND),
                new Operation(A, Condition.ALWAYS, Effect.restore(Rows.permanent("a", 7), true)),
                new Operation(A, Condition.ALWAYS, Effect.NOTHING, true));
        assertThat(looking)
                .allSatisfy(operation -> assertThat(premise(operation)).isNull());
    }

    @Test
    void aPutThatLooksAtNothingOverwrites() {
        assertThat(premise(new Operation(A, Condition.ALWAYS, Effect.put(NEW, SOON))))
                .isEqualTo(new Premise.Overwriting(A));
    }

    @Test
    void aRowThatWasReadSpeaksForItself() {
        Row read = Rows.permanent("a", 7);
        Request request = Request.of(new Operation(A, Condition.version(7), Effect.put(NEW, ExpiryRule.KEEP)));
        assertThat(Premise.of(request.afterReading(read))).isEqualTo(new Premise.AsRead(A, read));
        assertThat(Premise.of(request.afterReading(null))).isEqualTo(new Premise.AsRead(A, null));
    }

    /** Otherwise an engine would answer with a row whose value it has not read. */
    @Test
    void theValueIsAskedForWhereTheAnswerHasIt() {
        assertThat(form(new Operation(A, Condition.LIVE, Effect.DELETE, true))).isEqualTo(Expected.Form.BYTES);
        assertThat(form(new Operation(A, Condition.TEXT, Effect.DELETE, true))).isEqualTo(Expected.Form.TEXT);
        assertThat(form(new Operation(A, Condition.LIVE, Effect.DELETE))).isNull();
    }

    private static Expected.@Nullable Form form(Operation operation) {
        return ((Premise.Expecting) requireNonNull(premise(operation)))
                .expected()
                .answered();
    }

    @Test
    void severalOperationsAndChecksNeedTheirRows() {
        Operation put = new Operation(A, Condition.ALWAYS, Effect.put(NEW, SOON));
        assertThat(Premise.of(Request.all(List.of(put, put)))).isNull();
        assertThat(Premise.of(Request.NOTHING)).isNull();
        Request checked = new Request(List.of(new Request.Check(A, Condition.ABSENT)), List.of(put), null);
        assertThat(Premise.of(checked)).isNull();
    }

    private static @Nullable Premise premise(Operation operation) {
        return Premise.of(Request.of(operation));
    }
}
