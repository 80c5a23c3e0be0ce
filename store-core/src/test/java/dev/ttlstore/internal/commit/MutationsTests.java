package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What each mutation decides, on rows in a map. */
class MutationsTests {

    private static final long NOW = Rows.NOW;
    private static final RowKey A = Rows.key("a");
    private static final byte[] OLD = Rows.value("old");
    private static final byte[] NEW = Rows.value("new");
    private static final ExpiryTime SOON = ExpiryTime.after(Duration.ofMillis(5));

    private final Row expiring = Rows.expiring("a", 7, NOW + 100);

    @Test
    @Promise({8, 9})
    void manyPutsShareOneExpiryAndHaveVersionsOfTheirOwn() {
        Map<RowKey, byte[]> values = new LinkedHashMap<>();
        values.put(Rows.key("b"), NEW);
        values.put(A, NEW);
        Draft draft = Bench.with(expiring).draft();
        Mutation<Long> putAll = Mutations.putAll(values, SOON);
        assertThat(putAll.keys()).containsExactly(Rows.key("b"), A);
        assertThat(draft.apply(putAll)).isEqualTo(2);
        assertThat(draft.log().events())
                .map(event -> ((EntryPut) event).key() + event.sequence() + ((EntryPut) event).created())
                .containsExactly("b101true", "a102false");
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(live(draft, "b").expiresAt()).isEqualTo(NOW + 5);
    }

    @Test
    void noPutsAtAllAreAccepted() {
        Draft draft = Bench.with().draft();
        assertThat(draft.apply(Mutations.putAll(Map.of(), SOON))).isZero();
        assertThat(draft.log().events()).isEmpty();
    }

    @Test
    @Promise({2, 10})
    void aReplaceNeedsTheValueThatIsExpectedAndSetsTheExpiryAnew() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.replace(A, holding(NEW), null, NEW, SOON)))
                .isEmpty();
        assertThat(draft.apply(Mutations.replace(A, holding(new byte[0]), null, NEW, SOON)))
                .isEmpty();
        assertThat(draft.apply(Mutations.replace(Rows.key("b"), holding(OLD), null, NEW, SOON)))
                .isEmpty();
        assertThat(draft.log().events()).isEmpty();
        assertThat(draft.apply(Mutations.replace(A, holding(OLD), null, NEW, ExpiryTime.NEVER)))
                .isPresent();
        assertThat(draft.apply(Mutations.replace(A, holding(OLD), null, NEW, ExpiryTime.NEVER)))
                .isEmpty();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
        assertThat(live(draft, "a").value()).isEqualTo(NEW);
    }

    @Test
    @Promise({1, 10})
    void anExpiredValueCannotBeReplaced() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(draft.apply(Mutations.replace(A, holding(OLD), null, NEW, SOON)))
                .isEmpty();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isEmpty();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, ExpiryRule.KEEP)))
                .isEmpty();
        assertThat(draft.apply(Mutations.delete(A, holding(OLD), null))).isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired");
    }

    @Test
    @Promise({2, 9, 10})
    void aReplaceByVersionNeedsThatVersion() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.replaceVersion(A, 6, NEW, SOON))).isEmpty();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isPresent();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isEmpty();
        assertThat(draft.apply(Mutations.replaceVersion(A, 101, NEW, ExpiryTime.NEVER)))
                .isPresent();
        assertThat(live(draft, "a").version()).isEqualTo(102);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
    }

    @Test
    @Promise({2, 9})
    void anUpdateKeepsTheExpiryThatStandsWhenItIsCommitted() {
        Draft draft = Bench.with(expiring).draft();
        draft.apply(Mutations.reschedule(A, SOON));
        assertThat(draft.apply(Mutations.replaceVersion(A, 6, NEW, ExpiryRule.KEEP)))
                .isEmpty();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, ExpiryRule.KEEP)))
                .isPresent();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(live(draft, "a").version()).isEqualTo(101);
        assertThat(live(draft, "a").createdAt()).isEqualTo(expiring.createdAt());
    }

    @Test
    @Promise(2)
    void aMergeChangesWhatIsThereAndKeepsItsExpiry() {
        Draft draft = Bench.with(expiring).draft();
        byte[] merged = draft.apply(Mutations.merge(A, null, value -> new byte[value.length + 1], NEW, SOON));
        assertThat(merged).isEqualTo(new byte[4]);
        assertThat(live(draft, "a").value()).isSameAs(merged);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 100);
    }

    @Test
    @Promise({1, 2})
    void aMergePutsTheInitialValueWhereNothingLives() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(draft.apply(Mutations.merge(A, null, value -> new byte[0], NEW, SOON)))
                .isSameAs(NEW);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired", "EntryPut");
    }

    @Test
    @Promise(8)
    void aMergeThatThrowsChangesNothing() {
        Draft draft = Bench.with(expiring).draft();
        Mutation<byte[]> overflow = Mutations.merge(
                A,
                null,
                value -> {
                    throw new ArithmeticException("on purpose");
                },
                NEW,
                SOON);
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> draft.apply(overflow));
        assertThat(live(draft, "a")).isSameAs(expiring);
        assertThat(draft.log().events()).isEmpty();
    }

    @Test
    @Promise(10)
    void aDeleteOfAnExpectedValueNeedsThatValue() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.delete(A, holding(NEW), null))).isFalse();
        assertThat(draft.apply(Mutations.delete(A, holding(OLD), null))).isTrue();
        assertThat(draft.apply(Mutations.delete(A, holding(OLD), null))).isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryDeleted");
    }

    @Test
    @Promise(3)
    void deletingWhatIsOldLooksAtTheCreationAlone() {
        Draft draft = Bench.with(expiring, Rows.permanent("b", 8), Rows.permanent("d", 10))
                .draft();
        long created = live(draft, "b").createdAt();
        draft.apply(Mutations.put(Rows.key("b"), OLD, ExpiryTime.NEVER));
        draft.apply(Mutations.delete(Rows.key("d")));
        draft.apply(Mutations.put(Rows.key("d"), OLD, ExpiryTime.NEVER));
        Set<RowKey> keys = Set.of(A, Rows.key("b"), Rows.key("c"), Rows.key("d"));
        assertThat(draft.apply(Mutations.deleteOld(keys, created - 1))).isZero();
        assertThat(draft.apply(Mutations.deleteOld(keys, created))).isEqualTo(2);
        assertThat(draft.live(A)).isNull();
        assertThat(draft.live(Rows.key("b"))).isNull();
        assertThat(live(draft, "d").createdAt()).isEqualTo(NOW);
    }

    @Test
    @Promise(10)
    void aTakeAnswersWithTheRowAndLeavesOneThatItsCallerCannotRead() {
        RowKey b = Rows.key("b");
        Draft draft = Bench.with(expiring).draft();
        draft.apply(Mutations.put(b, new byte[] {(byte) 0xff}, ExpiryTime.NEVER));
        assertThat(draft.apply(Mutations.take(b, Expected.Form.TEXT))).isPresent();
        assertThat(draft.apply(Mutations.touch(b, Expected.Form.TEXT, SOON))).isPresent();
        assertThat(live(draft, "b").expiresAt()).isEqualTo(Row.NEVER);
        assertThat(draft.apply(Mutations.take(b, Expected.Form.BYTES))).isPresent();
        assertThat(draft.apply(Mutations.take(b, Expected.Form.BYTES))).isEmpty();
        assertThat(draft.apply(Mutations.touch(A, Expected.Form.TEXT, SOON))).contains(expiring);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(Bench.kinds(draft)).containsExactly("EntryPut", "EntryDeleted");
    }

    /** The row that stands in must lead to the same change as each row that is as expected. */
    @Test
    @Promise({2, 3})
    void whatLooksAtTheRowExpectsNothingOfIt() {
        ExpiryRule looking = (live, current) -> SOON;
        assertThat(Mutations.reschedule(A, looking).premise()).isNull();
        assertThat(Mutations.touch(A, Expected.Form.TEXT, ExpiryRule.KEEP).premise())
                .isNull();
        assertThat(Mutations.putIfPresent(A, NEW, looking).premise()).isNull();
        assertThat(Mutations.replace(A, holding(OLD), null, NEW, SOON).premise())
                .isNull();
        List<Mutation<?>> expecting = List.of(
                Mutations.reschedule(A, SOON),
                Mutations.putIfPresent(A, NEW, SOON),
                Mutations.replace(A, holding(OLD), OLD, NEW, SOON),
                Mutations.replaceVersion(A, 7, NEW, SOON),
                Mutations.delete(A),
                Mutations.delete(A, holding(OLD), OLD),
                Mutations.deleteVersion(A, 7),
                Mutations.take(A, Expected.Form.TEXT));
        for (Mutation<?> mutation : expecting) {
            Premise premise = Objects.requireNonNull(mutation.premise());
            Draft draft = Bench.with(Objects.requireNonNull(premise.row())).draft();
            Object unused = draft.apply(mutation);
            assertThat(draft.rows().changes()).isOne();
        }
    }

    private static Predicate<byte[]> holding(byte[] expected) {
        return value -> Arrays.equals(value, expected);
    }

    private static Row live(Draft draft, String key) {
        Row live = draft.live(Rows.key(key));
        if (live == null) {
            throw new AssertionError("No live entry under " + key);
        }
        return live;
    }

    @Test
    @Promise({8, 10})
    void aDecisionAnswersAndItsWriteApplies() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.decide(A, 0, MutationsTests::deleted))).isEqualTo(3);
        assertThat(draft.apply(Mutations.decide(A, 0, MutationsTests::deleted))).isEqualTo(-1);
        assertThat(draft.live(A)).isNull();
        assertThat(draft.log().events()).singleElement().isInstanceOf(EntryDeleted.class);
    }

    private static Attempt<Integer> deleted(@Nullable Row row) {
        return row == null
                ? new Attempt<>(null, -1)
                : new Attempt<>(Mutations.deleteVersion(row.key(), row.version()), row.value().length);
    }

    @Test
    void aDecisionAgainstAWriteChangesNothing() {
        Draft draft = Bench.with(expiring).draft();
        Mutation<String> leave = Mutations.decide(A, 0, row -> new Attempt<>(null, "left"));
        assertThat(draft.apply(leave)).isEqualTo("left");
        assertThat(draft.live(A)).isEqualTo(expiring);
        assertThat(draft.log().events()).isEmpty();
    }

    @Test
    void aReadChangesNothing() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.read(A))).contains(expiring);
        assertThat(draft.apply(Mutations.read(Rows.key("b")))).isEmpty();
        assertThat(draft.log().events()).isEmpty();
    }

    @Test
    void aMappedMutationDoesWhatItsOwnDoes() {
        Draft draft = Bench.with().draft();
        Mutation<String> mapped = Mutations.map(Mutations.put(A, NEW, SOON), version -> "version " + version);
        assertThat(mapped.keys()).containsExactly(A);
        assertThat(draft.apply(mapped)).isEqualTo("version 101");
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
    }
}
