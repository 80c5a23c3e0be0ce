package dev.ttlstore.postgresql;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.Decided;
import dev.ttlstore.engine.commit.Decision;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** What follows from a request alone, so that an engine may do without loading the row. */
@Promise({2, 3})
class PremiseTests {

    private static final RowKey A = new RowKey("group", "a");
    private static final byte[] OLD = "old".getBytes(UTF_8);
    private static final byte[] NEW = "new".getBytes(UTF_8);
    private static final ExpiryRule SOON = ExpiryRule.afterMillis(5);
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
                new Operation(A, Condition.ALWAYS, Effect.add(3, SOON)));
        for (Operation operation : expecting) {
            Row standIn = requireNonNull(requireNonNull(premise(operation)).expected())
                    .standIn(A);
            Decided outcome = new Decision(1, null, group -> 8).of(operation, standIn, null);
            assertThat(outcome.applied()).isTrue();
            assertThat(outcome.isChange()).isTrue();
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
                new Operation(A, Condition.ALWAYS, Effect.add(Long.MAX_VALUE, SOON)),
                new Operation(A, Condition.ALWAYS, Effect.compute(value -> value, NEW, SOON)),
                new Operation(A, Condition.LIVE, Effect.MEND),
                new Operation(A, Condition.ALWAYS, Effect.restore(new Row(A, OLD, 7, 1, 1, Row.NEVER), true)),
                new Operation(A, Condition.ALWAYS, Effect.NOTHING, true));
        assertThat(looking)
                .allSatisfy(operation -> assertThat(premise(operation)).isNull());
    }

    @Test
    void aPutThatLooksAtNothingOverwrites() {
        assertThat(premise(new Operation(A, Condition.ALWAYS, Effect.put(NEW, SOON))))
                .isEqualTo(new Premise(List.of(A), null, null));
    }

    @Test
    void severalPutsOverwriteUnlessTheySayMoreOrNameARowTwice() {
        RowKey b = new RowKey("group", "b");
        Request one = Request.of(new Operation(A, Condition.ALWAYS, Effect.put(NEW, SOON)));
        Request two = Request.of(new Operation(b, Condition.ALWAYS, Effect.put(NEW, SOON)));
        assertThat(Premise.of(List.of(one, two))).isEqualTo(new Premise(List.of(A, b), null, null));
        assertThat(Premise.of(List.of(one, one))).isNull();
        assertThat(Premise.of(List.of(one, two.afterReading(null)))).isNull();
        assertThat(Premise.of(List.of())).isNull();
    }

    @Test
    void aRowThatWasReadSpeaksForItself() {
        Row read = new Row(A, OLD, 7, 1, 1, Row.NEVER);
        Request request = Request.of(new Operation(A, Condition.version(7), Effect.put(NEW, ExpiryRule.KEEP)));
        assertThat(Premise.of(List.of(request.afterReading(read))))
                .isEqualTo(new Premise(List.of(A), new Request.Read(read), null));
        assertThat(Premise.of(List.of(request.afterReading(null))))
                .isEqualTo(new Premise(List.of(A), new Request.Read(null), null));
    }

    /** Otherwise an engine would answer with a row whose value it has not read. */
    @Test
    void theValueIsAskedForWhereTheAnswerHasIt() {
        assertThat(form(new Operation(A, Condition.LIVE, Effect.DELETE, true))).isEqualTo(Expected.Form.BYTES);
        assertThat(form(new Operation(A, Condition.TEXT, Effect.DELETE, true))).isEqualTo(Expected.Form.TEXT);
        assertThat(form(new Operation(A, Condition.LIVE, Effect.DELETE))).isNull();
    }

    private static Expected.@Nullable Form form(Operation operation) {
        return requireNonNull(requireNonNull(premise(operation)).expected()).answered();
    }

    @Test
    void severalOperationsAndChecksNeedTheirRows() {
        Operation put = new Operation(A, Condition.ALWAYS, Effect.put(NEW, SOON));
        assertThat(Premise.of(List.of(Request.all(List.of(put, put))))).isNull();
        assertThat(Premise.of(List.of(Request.NOTHING))).isNull();
        Request checked = new Request(List.of(new Request.Check(A, Condition.ABSENT)), List.of(put), null);
        assertThat(Premise.of(List.of(checked))).isNull();
    }

    private static @Nullable Premise premise(Operation operation) {
        return Premise.of(List.of(Request.of(operation)));
    }
}
