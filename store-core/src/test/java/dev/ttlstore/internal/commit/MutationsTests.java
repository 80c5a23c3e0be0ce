package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What each mutation decides, on rows in a map. */
class MutationsTests {

    private static final long NOW = Rows.NOW;
    private static final RowKey A = Rows.key("a");
    private static final byte[] OLD = Rows.value("old");
    private static final byte[] NEW = Rows.value("new");
    private static final Expiry SOON = Expiry.after(Duration.ofMillis(5));

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
        assertThat(draft.apply(Mutations.replace(A, NEW, NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.replace(A, new byte[0], NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.replace(Rows.key("b"), OLD, NEW, SOON)))
                .isFalse();
        assertThat(draft.log().events()).isEmpty();
        assertThat(draft.apply(Mutations.replace(A, OLD, NEW, Expiry.NEVER))).isTrue();
        assertThat(draft.apply(Mutations.replace(A, OLD, NEW, Expiry.NEVER))).isFalse();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
        assertThat(live(draft, "a").value()).isEqualTo(NEW);
    }

    @Test
    @Promise({1, 10})
    void anExpiredValueCannotBeReplaced() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(draft.apply(Mutations.replace(A, OLD, NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.update(A, 7, NEW))).isFalse();
        assertThat(draft.apply(Mutations.delete(A, OLD))).isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired");
    }

    @Test
    @Promise({2, 9, 10})
    void aReplaceByVersionNeedsThatVersion() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.replaceVersion(A, 6, NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isTrue();
        assertThat(draft.apply(Mutations.replaceVersion(A, 7, NEW, SOON))).isFalse();
        assertThat(draft.apply(Mutations.replaceVersion(A, 101, NEW, Expiry.NEVER)))
                .isTrue();
        assertThat(live(draft, "a").version()).isEqualTo(102);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(Row.NEVER);
    }

    @Test
    @Promise({2, 9})
    void anUpdateKeepsTheExpiryThatStandsWhenItIsCommitted() {
        Draft draft = Bench.with(expiring).draft();
        draft.apply(Mutations.reschedule(A, SOON));
        assertThat(draft.apply(Mutations.update(A, 6, NEW))).isFalse();
        assertThat(draft.apply(Mutations.update(A, 7, NEW))).isTrue();
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
        assertThat(live(draft, "a").version()).isEqualTo(101);
        assertThat(live(draft, "a").createdAt()).isEqualTo(expiring.createdAt());
    }

    @Test
    @Promise(2)
    void aMergeChangesWhatIsThereAndKeepsItsExpiry() {
        Draft draft = Bench.with(expiring).draft();
        byte[] merged = draft.apply(Mutations.merge(A, value -> new byte[value.length + 1], NEW, SOON));
        assertThat(merged).isEqualTo(new byte[4]);
        assertThat(live(draft, "a").value()).isSameAs(merged);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 100);
    }

    @Test
    @Promise({1, 2})
    void aMergePutsTheInitialValueWhereNothingLives() {
        Draft draft = Bench.with(Rows.expiring("a", 7, NOW)).draft();
        assertThat(draft.apply(Mutations.merge(A, value -> new byte[0], NEW, SOON)))
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
        assertThat(draft.apply(Mutations.delete(A, NEW))).isFalse();
        assertThat(draft.apply(Mutations.delete(A, OLD))).isTrue();
        assertThat(draft.apply(Mutations.delete(A, OLD))).isFalse();
        assertThat(Bench.kinds(draft)).containsExactly("EntryDeleted");
    }

    @Test
    @Promise(3)
    void deletingWhatWasSeenLeavesWhatWasPutAnewOrIsGone() {
        List<Row> seen = List.of(expiring, Rows.permanent("b", 8), Rows.permanent("c", 9), Rows.permanent("d", 10));
        Draft draft = Bench.with(expiring, Rows.permanent("b", 8), Rows.permanent("d", 10))
                .draft();
        draft.apply(Mutations.put(Rows.key("b"), OLD, Expiry.NEVER));
        draft.apply(Mutations.reschedule(Rows.key("d"), SOON));
        assertThat(draft.apply(Mutations.deleteAll(seen))).isEqualTo(2);
        assertThat(draft.live(A)).isNull();
        assertThat(draft.live(Rows.key("b"))).isNotNull();
        assertThat(draft.live(Rows.key("d"))).isNull();
        assertThat(Bench.kinds(draft)).containsExactly("EntryPut", "EntryDeleted", "EntryDeleted");
    }

    @Test
    @Promise({3, 7})
    void lettingExpireWhatWasSeenLeavesWhatWasPutAnew() {
        List<Row> seen = List.of(expiring, Rows.permanent("b", 8));
        Bench bench = Bench.with(expiring, Rows.permanent("b", 8));
        Draft draft = bench.draft();
        draft.apply(Mutations.put(Rows.key("b"), OLD, Expiry.NEVER));
        assertThat(draft.apply(Mutations.rescheduleAll(seen, Expiry.NOW))).isEqualTo(1);
        draft.store(bench.transaction());
        assertThat(bench.transaction().rows().get(A))
                .extracting(Row::expiresAt, Row::version)
                .containsExactly(NOW, 7L);
        assertThat(draft.live(A)).isNull();
        assertThat(live(draft, "b").expiresAt()).isEqualTo(Row.NEVER);
    }

    private static Row live(Draft draft, String key) {
        Row live = draft.live(Rows.key(key));
        if (live == null) {
            throw new AssertionError("No live entry under " + key);
        }
        return live;
    }

    @Test
    @Promise(10)
    void aTakeAnswersWhatTheValueMeansAndRemovesIt() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.take(A, bytes -> Optional.of(bytes.length))))
                .contains(3);
        assertThat(draft.apply(Mutations.take(A, bytes -> Optional.of(bytes.length))))
                .isEmpty();
        assertThat(draft.live(A)).isNull();
        assertThat(draft.log().events()).singleElement().isInstanceOf(EntryDeleted.class);
    }

    @Test
    void aTakeOfAValueThatMeansNothingLeavesIt() {
        Draft draft = Bench.with(expiring).draft();
        assertThat(draft.apply(Mutations.take(A, bytes -> Optional.empty()))).isEmpty();
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
    void aSilentMutationDoesWhatItsOwnDoes() {
        Draft draft = Bench.with().draft();
        Mutation<?> silent = Mutations.silent(Mutations.put(A, NEW, SOON));
        assertThat(silent.keys()).containsExactly(A);
        draft.apply(silent);
        assertThat(live(draft, "a").expiresAt()).isEqualTo(NOW + 5);
    }
}
