package dev.ttlstore.engine.commit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What each mutation decides, on rows in a map. */
class MutationTests {

    private static final long NOW = Rows.NOW;
    private static final RowKey A = Rows.key("a");
    private static final byte[] OLD = Rows.value("old");
    private static final byte[] NEW = Rows.value("new");
    private static final ExpiryRule SOON = ExpiryRule.afterMillis(5);

    private final Row expiring = Rows.expiring("a", 7, NOW + 100);

    @Test
    @Promise({8, 9})
    void manyPutsShareOneExpiryAndHaveVersionsOfTheirOwn() {
        Map<RowKey, byte[]> values = new LinkedHashMap<>();
        values.put(Rows.key("b"), NEW);
        values.put(A, NEW);
        Draft draft = Bench.with(expiring).draft();
        Mutation<Long> putAll = Writes.putAll(values, SOON);
        assertThat(putAll.request().keys()).containsExactly(Rows.key("b"), A);
        assertThat(Writes.apply(draft, putAll)).isEqualTo(2);
        assertThat(Bench.events(draft))
                .map(event -> ((EntryPut) event).key() + event.sequence() + ((EntryPut) event).created())
                .containsExactly("b101true", "a102false");
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(live(draft, "b").expiresAt()).isEqualTo(NOW + 5);
    }

    @Test
    void noPutsAtAllAreAccepted() {
        Draft draft = Bench.with().draft();
        assertThat(Writes.apply(draft, Writes.putAll(Map.of(), SOON))).isZero();
        assertThat(Bench.events(draft)).isEmpty();
    }

    @Test
    @Promise({2, 10})
    void aReplaceNeedsTheValueThatIsExpectedAndSetsTheExpiryAnew() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(Writes.apply(draft, Mutation.put(A, Condition.value(NEW), NEW, SOON)))
                .isEmpty();
        assertThat(Writes.apply(draft, Mutation.put(A, Condition.value(new byte[0]), NEW, SOON)))
                .isEmpty();
        assertThat(Writes.apply(draft, Mutation.put(Rows.key("b"), Condition.value(OLD), NEW, SOON)))
                .isEmpty();
        assertThat(Bench.events(draft)).isEmpty();
        assertThat(Writes.apply(draft, Mutation.put(A, Condition.value(OLD), NEW, ExpiryRule.NEVER)))
                .isPresent();
        assertThat(Writes.apply(draft, Mutation.put(A, Condition.value(OLD), NEW, ExpiryRule.NEVER)))
                .isEmpty();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
        assertThat(live(draft, "a").value()).isEqualTo(NEW);
    }

    @Test
    @Promise({1, 10})
    void anExpiredValueCannotBeReplaced() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(Writes.apply(draft, Mutation.put(A, Condition.value(OLD), NEW, SOON)))
                .isEmpty();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 7, NEW, SOON))).isEmpty();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 7, NEW, ExpiryRule.KEEP)))
                .isEmpty();
        assertThat(Writes.apply(draft, Mutation.change(A, Condition.value(OLD), Effect.DELETE)))
                .isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired");
    }

    @Test
    @Promise({2, 9, 10})
    void aReplaceByVersionNeedsThatVersion() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 6, NEW, SOON))).isEmpty();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 7, NEW, SOON))).isPresent();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 7, NEW, SOON))).isEmpty();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 101, NEW, ExpiryRule.NEVER)))
                .isPresent();
        assertThat(live(draft, "a").version()).isEqualTo(102);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
    }

    @Test
    @Promise({2, 9})
    void anUpdateKeepsTheExpiryThatStandsWhenItIsCommitted() {
        Draft draft = Bench.with(expiring).draft();
        Writes.apply(draft, Writes.reschedule(A, SOON));
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 6, NEW, ExpiryRule.KEEP)))
                .isEmpty();
        assertThat(Writes.apply(draft, Writes.replaceVersion(A, 7, NEW, ExpiryRule.KEEP)))
                .isPresent();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(live(draft, "a").version()).isEqualTo(101);
        assertThat(live(draft, "a").createdAt()).isEqualTo(expiring.createdAt());
    }

    @Test
    @Promise(2)
    void aMergeChangesWhatIsThereAndKeepsItsExpiry() {
        Draft draft = Bench.with(expiring).draft();
        byte[] merged = Writes.apply(draft, Writes.merge(A, value -> new byte[value.length + 1], NEW, SOON));
        assertThat(merged).isEqualTo(new byte[4]);
        assertThat(live(draft, "a").value()).isSameAs(merged);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 100);
    }

    @Test
    @Promise({1, 2})
    void aMergePutsTheInitialValueWhereNothingLives() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(Writes.apply(draft, Writes.merge(A, value -> new byte[0], NEW, SOON)))
                .isSameAs(NEW);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired", "EntryPut");
    }

    @Test
    @Promise(8)
    void aMergeThatThrowsChangesNothing() {
        Draft draft = Bench.with(expiring).draft();
        Mutation<byte[]> overflow = Writes.merge(
                A,
                value -> {
                    throw new ArithmeticException("on purpose");
                },
                NEW,
                SOON);
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> Writes.apply(draft, overflow));
        assertThat(live(draft, "a")).isSameAs(expiring);
        assertThat(Bench.events(draft)).isEmpty();
    }

    @Test
    @Promise(10)
    void aDeleteOfAnExpectedValueNeedsThatValue() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(Writes.apply(draft, Mutation.change(A, Condition.value(NEW), Effect.DELETE)))
                .isFalse();
        assertThat(Writes.apply(draft, Mutation.change(A, Condition.value(OLD), Effect.DELETE)))
                .isTrue();
        assertThat(Writes.apply(draft, Mutation.change(A, Condition.value(OLD), Effect.DELETE)))
                .isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryDeleted");
    }

    @Test
    @Promise(3)
    void deletingWhatIsOldLooksAtTheCreationAlone() {
        Draft draft = Bench.with(expiring, Rows.permanent("b", 8), Rows.permanent("d", 10))
                .draft();
        long created = live(draft, "b").createdAt();
        Writes.apply(draft, Mutation.put(Rows.key("b"), OLD, ExpiryRule.NEVER));
        Writes.apply(draft, Writes.delete(Rows.key("d")));
        Writes.apply(draft, Mutation.put(Rows.key("d"), OLD, ExpiryRule.NEVER));
        Set<RowKey> keys = Set.of(A, Rows.key("b"), Rows.key("c"), Rows.key("d"));
        assertThat(Writes.apply(draft, Mutation.changeAll(keys, Condition.createdBy(created - 1), Effect.DELETE)))
                .isZero();
        assertThat(Writes.apply(draft, Mutation.changeAll(keys, Condition.createdBy(created), Effect.DELETE)))
                .isEqualTo(2);
        assertThat(draft.live(A)).isNull();
        assertThat(draft.live(Rows.key("b"))).isNull();
        assertThat(live(draft, "d").createdAt()).isEqualTo(NOW);
    }

    @Test
    @Promise(10)
    void aTakeAnswersWithTheRowAndLeavesOneThatItsCallerCannotRead() {
        RowKey b = Rows.key("b");
        Draft draft = Bench.with(expiring).draft();
        Writes.apply(draft, Mutation.put(b, new byte[] {(byte) 0xff}, ExpiryRule.NEVER));
        assertLeft(Writes.apply(draft, returning(b, Condition.TEXT, Effect.DELETE)));
        assertLeft(Writes.apply(draft, returning(b, Condition.TEXT, Effect.reschedule(SOON))));
        assertThat(live(draft, "b").expiresAt()).isEqualTo(Row.NEVER);
        Mutation<Outcome> take = returning(b, Condition.LIVE, Effect.DELETE);
        assertThat(Writes.apply(draft, take).row()).isNotNull();
        assertThat(Writes.apply(draft, take).row()).isNull();
        Outcome touched = Writes.apply(draft, returning(A, Condition.TEXT, Effect.reschedule(SOON)));
        assertThat(touched.row()).isEqualTo(expiring);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(Bench.kinds(draft)).containsExactly("EntryPut", "EntryDeleted");
    }

    private static Mutation<Outcome> returning(RowKey key, Condition condition, Effect effect) {
        return new Mutation<>(new Operation(key, condition, effect, true), Answer::only);
    }

    private static void assertLeft(Outcome outcome) {
        assertThat(outcome.applied()).isFalse();
        assertThat(outcome.found()).isTrue();
    }

    private static Row live(Draft draft, String key) {
        Row live = draft.live(Rows.key(key));
        if (live == null) {
            throw new AssertionError("No live entry under " + key);
        }
        return live;
    }

    /** The code may look at the value, and may refuse it. */
    @Test
    @Promise({8, 10})
    void aTestDecidesWithinTheCommit() {
        Draft draft = Bench.with(expiring).draft();
        Mutation<Boolean> deleted = Mutation.change(
                A, Condition.test(row -> row != null && row.value().length == OLD.length), Effect.DELETE);
        assertThat(Writes.apply(draft, deleted)).isTrue();
        assertThat(Writes.apply(draft, deleted)).isFalse();
        assertThat(draft.live(A)).isNull();
        assertThat(Bench.events(draft)).singleElement().isInstanceOf(EntryDeleted.class);
    }

    @Test
    void aReadChangesNothing() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(Writes.apply(draft, Mutation.read(A))).contains(expiring);
        assertThat(Writes.apply(draft, Mutation.read(Rows.key("b")))).isEmpty();
        assertThat(Bench.events(draft)).isEmpty();
    }
}
