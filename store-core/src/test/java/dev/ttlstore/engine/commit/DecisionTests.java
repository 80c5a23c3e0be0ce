package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryRule.Bound;
import dev.ttlstore.engine.ExpiryRule.Start;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.Decision.Transition;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What each condition and each effect means, row by row. */
class DecisionTests {

    private static final long NOW = 1_000_000_000_000L;
    private static final RowKey KEY = new RowKey("group", "key");
    private static final byte[] NEW = "new".getBytes(UTF_8);

    private final List<String> numbered = new ArrayList<>();
    private final Decision decision = new Decision(NOW, null, this::number);

    private long number(String group) {
        numbered.add(group);
        return 100 + numbered.size();
    }

    private static Row row(String value, long expiresAt) {
        return new Row(KEY, value.getBytes(UTF_8), 7, NOW - 20, NOW - 10, expiresAt);
    }

    private Transition decide(Condition condition, Effect effect, @Nullable Row found) {
        return decision.of(new Operation(KEY, condition, effect), found, null);
    }

    @ParameterizedTest
    @CsvSource({
        // kind, without a row, another row, the row that is meant, an expired one
        "ALWAYS, true, true, true, true",
        "ABSENT, true, false, false, true",
        "LIVE, false, true, true, false",
        "VERSION, false, false, true, false",
        "VALUE, false, false, true, false",
        "TEXT, false, false, true, false",
        "CREATED_BY, false, false, true, false",
        "TEST, false, false, true, false"
    })
    @Promise({1, 10})
    void aConditionHoldsOfTheLiveRowThatItNames(
            Condition.Kind kind, boolean absent, boolean other, boolean meant, boolean expired) {
        Row wanted = row("5", Row.NEVER);
        Row another = new Row(KEY, new byte[] {(byte) 0xff}, 8, NOW, NOW, Row.NEVER);
        Condition condition =
                switch (kind) {
                    case VERSION -> Condition.version(7);
                    case VALUE -> Condition.value(wanted.value());
                    case CREATED_BY -> Condition.createdBy(wanted.createdAt());
                    case TEST -> Condition.test(live -> live == wanted);
                    default -> new Condition(kind, 0, null, null);
                };
        Effect put = Effect.put(NEW, ExpiryRule.NEVER);
        assertThat(decide(condition, put, null).applied()).isEqualTo(absent);
        assertThat(decide(condition, put, another).applied()).isEqualTo(other);
        assertThat(decide(condition, put, wanted).applied()).isEqualTo(meant);
        assertThat(decide(condition, put, wanted.withExpiry(NOW)).applied()).isEqualTo(expired);
    }

    @ParameterizedTest
    @EnumSource(
            value = Effect.Kind.class,
            names = {"DELETE", "RESCHEDULE", "MEND"})
    @Promise(1)
    void whatNeedsALiveRowDoesNothingWithoutOne(Effect.Kind kind) {
        Effect effect = new Effect(kind, null, 0, ExpiryRule.NEVER, null, false, null);
        for (Row dead : new Row[] {null, row("5", NOW)}) {
            Transition outcome = decide(Condition.ALWAYS, effect, dead);
            assertThat(outcome.applied()).isFalse();
            assertThat(outcome.isChange()).isFalse();
            assertThat(outcome.after()).isNull();
        }
    }

    @Test
    void whatDoesNotApplyLeavesTheRowAndTakesNoNumber() {
        Row live = row("5", Row.NEVER);
        Transition outcome = decide(Condition.version(6), Effect.put(NEW, ExpiryRule.NEVER), live);
        assertThat(outcome.isChange()).isFalse();
        assertThat(outcome.before()).isSameAs(live);
        assertThat(outcome.after()).isSameAs(live);
        assertThat(numbered).isEmpty();
    }

    @Test
    @Promise({1, 9})
    void aPutCreatesOrReplaces() {
        assertThat(decide(Condition.ALWAYS, Effect.put(NEW, ExpiryRule.afterMillis(5)), null)
                        .after())
                .isEqualTo(new Row(KEY, NEW, 101, NOW, NOW, NOW + 5));
        Row live = row("5", NOW + 1);
        Transition replaced = decide(Condition.ALWAYS, Effect.put(NEW, ExpiryRule.NEVER), live);
        assertThat(replaced.before()).isSameAs(live);
        assertThat(replaced.after()).isEqualTo(new Row(KEY, NEW, 102, NOW - 20, NOW, Row.NEVER));
        assertThat(decide(Condition.ALWAYS, Effect.put(NEW, ExpiryRule.NEVER), live.withExpiry(NOW))
                        .before())
                .isNull();
        assertThat(numbered).containsOnly("group");
    }

    @Test
    @Promise(2)
    void anAdditionKeepsTheExpiryOrPutsTheFirstNumber() {
        Effect add = Effect.add(3, ExpiryRule.afterMillis(5));
        Row sum = decide(Condition.ALWAYS, add, row("-5", NOW + 1)).put();
        assertThat(sum.value()).asString().isEqualTo("-2");
        assertThat(sum.expiresAt()).isEqualTo(NOW + 1);
        Row first = decide(Condition.ALWAYS, add, null).put();
        assertThat(first.value()).asString().isEqualTo("3");
        assertThat(first.expiresAt()).isEqualTo(NOW + 5);
    }

    @Test
    @Promise(8)
    void aSumThatIsTooLargeAndAValueThatIsNoNumberAreRefused() {
        Effect add = Effect.add(Long.MAX_VALUE, ExpiryRule.NEVER);
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> decide(Condition.ALWAYS, add, row("1", Row.NEVER)))
                .withMessageContaining("'delta'");
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> decide(Condition.ALWAYS, add, row("five", Row.NEVER)));
        assertThat(numbered).isEmpty();
    }

    @Test
    @Promise({3, 9})
    void anotherExpiryLeavesTheRest() {
        Row live = row("5", NOW + 1);
        assertThat(decide(Condition.LIVE, Effect.reschedule(ExpiryRule.NOW), live)
                        .after())
                .isEqualTo(live.withExpiry(NOW));
        assertThat(numbered).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // start, millis, bound, without a row, with one that expires in 50 ms
        "NOW, 30, NONE, 30, 30",
        "NOW, 30, LATER, 30, 50",
        "NOW, 30, EARLIER, 30, 30",
        "NOW, 70, EARLIER, 70, 50",
        "CREATION, 30, NONE, 30, 10",
        "CREATION, 5, NONE, 5, 0",
        "UPDATE, 30, NONE, 30, 20",
        "UPDATE, 30, LATER, 30, 50",
        "CURRENT, 5, NONE, 45, 55",
        "CURRENT, 0, NONE, 40, 50"
    })
    @Promise(2)
    void anExpiryFollowsFromItsRule(Start start, long millis, Bound bound, long fresh, long changed) {
        Effect put = Effect.put(NEW, new ExpiryRule(start, millis, 40, bound));
        assertThat(decide(Condition.ALWAYS, put, null).put().expiresAt()).isEqualTo(NOW + fresh);
        assertThat(decide(Condition.ALWAYS, put, row("5", NOW + 50)).put().expiresAt())
                .isEqualTo(NOW + changed);
    }

    /** A ttl that was set before in the commit still counts from its end. */
    @Test
    @Promise(2)
    void anExpiryThatTheCommitHasChangedGoesOnFromThere() {
        Operation keep = new Operation(KEY, Condition.LIVE, Effect.put(NEW, ExpiryRule.KEEP));
        Transition kept = decision.of(keep, row("5", NOW + 50), ExpiryTime.afterMillis(50));
        assertThat(kept.expiry().from(NOW + 7)).isEqualTo(NOW + 57);
        assertThat(decide(Condition.LIVE, keep.effect(), row("5", NOW + 50))
                        .expiry()
                        .from(NOW + 7))
                .isEqualTo(NOW + 50);
    }

    @Test
    @Promise(2)
    void aTimeThatIsPastCountsAsTheTimeOfTheWrite() {
        Effect put = Effect.put(NEW, new ExpiryRule(Start.AT, NOW - 5, Row.NEVER, Bound.NONE));
        assertThat(decide(Condition.ALWAYS, put, null).put().expiresAt()).isEqualTo(NOW);
    }

    @Test
    void whatIsRestoredKeepsItsTimesAndTellsWhatItFound() {
        Row given = row("5", NOW + 1);
        Transition created = decide(Condition.ALWAYS, Effect.restore(given, false), null);
        assertThat(created.before()).isNull();
        assertThat(created.after()).isEqualTo(given.withVersion(101));
        Row other = row("6", Row.NEVER);
        assertThat(decide(Condition.ALWAYS, Effect.restore(given, true), other).before())
                .isSameAs(other);
        Transition kept = decide(Condition.ALWAYS, Effect.restore(given, false), other);
        assertThat(kept.applied()).isFalse();
        assertThat(kept.after()).isSameAs(other);
        Transition unchanged = decide(Condition.ALWAYS, Effect.restore(given, true), row("5", NOW + 1));
        assertThat(unchanged.applied()).isTrue();
        assertThat(unchanged.isChange()).isFalse();
        Transition expired = decide(Condition.ALWAYS, Effect.restore(given.withExpiry(NOW), true), other);
        assertThat(expired.applied()).isFalse();
        assertThat(expired.before()).isNull();
    }

    @Test
    @Promise({2, 4})
    void aRowThatWasWrittenByAClockAheadCountsAsWrittenNow() {
        long ahead = NOW + 10 * ClockLeap.MOST_MILLIS;
        Row written = new Row(KEY, NEW, 7, ahead, ahead, ahead + 30);
        ClockLeap back = new ClockLeap(NOW, 0, System.nanoTime(), ClockLeap.Phase.BACK);
        Decision mending = new Decision(NOW, back, this::number);
        Row meant = new Row(KEY, NEW, 7, NOW, NOW, NOW + 30);
        assertThat(mending.live(written)).isEqualTo(meant);
        Transition mended = decide(mending, Effect.MEND, written);
        assertThat(mended.after()).isEqualTo(meant);
        assertThat(decide(mending, Effect.MEND, meant).applied()).isFalse();
        assertThat(decide(mending, Effect.NOTHING, written).isChange()).isFalse();
        Row kept = decide(mending, Effect.put(NEW, ExpiryRule.KEEP), written).put();
        assertThat(kept.expiresAt()).isEqualTo(NOW + 30);
    }

    private static Transition decide(Decision decision, Effect effect, Row found) {
        return decision.of(new Operation(KEY, Condition.LIVE, effect), found, null);
    }

    /** So that the expiry can be mended if the clock turns out to be wrong. */
    @Test
    @Promise(2)
    void whileTheClockMayBeAheadAnExpiryThatCountsFromNowCountsAsAnUpdate() {
        ClockLeap leap = new ClockLeap(NOW - ClockLeap.MOST_MILLIS, 1, System.nanoTime(), ClockLeap.Phase.AHEAD);
        Decision ahead = new Decision(NOW, leap, this::number);
        Row live = row("5", Row.NEVER);
        assertThat(decide(ahead, Effect.reschedule(ExpiryRule.afterMillis(5)), live)
                        .put()
                        .updatedAt())
                .isEqualTo(NOW);
        assertThat(decide(ahead, Effect.reschedule(ExpiryRule.NEVER), live)
                        .put()
                        .updatedAt())
                .isEqualTo(live.updatedAt());
    }

    /** It may wait for its caller for long. */
    @Test
    @Promise(24)
    void anOutcomeKeepsNoValueThatNobodyHasAskedFor() {
        Row live = row("5", Row.NEVER);
        Operation put = new Operation(KEY, Condition.ALWAYS, Effect.put(NEW, ExpiryRule.NEVER));
        assertThat(decision.of(put, live, null).outcomeOf(put)).isEqualTo(new Outcome(true, true, 101, null));
        Operation delete = new Operation(KEY, Condition.LIVE, Effect.DELETE);
        assertThat(decision.of(delete, live, null).outcomeOf(delete)).isEqualTo(new Outcome(true, true, 0, null));
        assertThat(decision.of(delete, null, null).outcomeOf(delete)).isEqualTo(new Outcome(false, false, 0, null));
        Operation take = new Operation(KEY, Condition.LIVE, Effect.DELETE, true);
        assertThat(decision.of(take, live, null).outcomeOf(take).row()).isSameAs(live);
        Operation add = new Operation(KEY, Condition.ALWAYS, Effect.add(1, ExpiryRule.NEVER));
        Outcome added = decision.of(add, live, null).outcomeOf(add);
        assertThat(added.row()).extracting(Row::version).isEqualTo(added.version());
    }
}
