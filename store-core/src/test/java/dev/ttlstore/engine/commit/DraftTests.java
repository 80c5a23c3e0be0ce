package dev.ttlstore.engine.commit;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What mutations decide, on rows in a map. */
class DraftTests {

    private static final long NOW = Rows.NOW;
    private static final byte[] VALUE = Rows.value("new");

    @Test
    @Promise({1, 9})
    void aPutWhereNothingStandsCreates() {
        Draft draft = draft("a");
        long version = Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.afterMillis(5)));
        assertThat(version).isEqualTo(101);
        assertThat(draft.live(Rows.key("a"))).isEqualTo(new Row(Rows.key("a"), VALUE, 101, NOW, NOW, NOW + 5));
        assertThat(Bench.events(draft))
                .containsExactly(new EntryPut(
                        101, Instant.ofEpochMilli(NOW), "group", "a", 101, true, Instant.ofEpochMilli(NOW + 5)));
    }

    @Test
    void aPutOverALiveEntryKeepsWhenItWasCreated() {
        Draft draft = draft(Rows.permanent("a", 7));
        Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.NEVER));
        assertThat(draft.live(Rows.key("a"))).isEqualTo(new Row(Rows.key("a"), VALUE, 101, NOW - 10, NOW, Row.NEVER));
        assertThat(Bench.events(draft))
                .containsExactly(new EntryPut(101, Instant.ofEpochMilli(NOW), "group", "a", 101, false, null));
    }

    @Test
    @Promise({1, 13})
    void aPutOverAnExpiredEntryTellsItsExpiryFirstAndCreates() {
        Draft draft = draft(Rows.expiring("a", 7, NOW));
        Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.NEVER));
        assertThat(Bench.events(draft))
                .containsExactly(
                        new EntryExpired(101, Instant.ofEpochMilli(NOW), "group", "a", 7, Instant.ofEpochMilli(NOW)),
                        new EntryPut(102, Instant.ofEpochMilli(NOW), "group", "a", 102, true, null));
        assertThat(draft.live(Rows.key("a"))).extracting(Row::createdAt).isEqualTo(NOW);
    }

    @Test
    @Promise(1)
    void anEntryIsLiveInItsLastMillisecondOnly() {
        Draft live = draft(Rows.expiring("a", 7, NOW + 1));
        assertThat(Writes.apply(live, Writes.delete(Rows.key("a")))).isTrue();
        Draft expired = draft(Rows.expiring("a", 7, NOW));
        assertThat(Writes.apply(expired, Writes.delete(Rows.key("a")))).isFalse();
    }

    @Test
    @Promise(13)
    void anExpiredEntryIsToldOnceThoughManyMutationsOfOneCommitFindIt() {
        Draft draft = draft(Rows.expiring("a", 7, NOW - 1));
        assertThat(Writes.apply(draft, Writes.delete(Rows.key("a")))).isFalse();
        assertThat(Writes.apply(draft, Writes.deleteVersion(Rows.key("a"), 7))).isFalse();
        assertThat(Writes.apply(draft, Writes.reschedule(Rows.key("a"), ExpiryRule.NEVER)))
                .isFalse();
        assertThat(Writes.apply(draft, Writes.putIfAbsent(Rows.key("a"), VALUE, ExpiryRule.NEVER)))
                .isPresent();
        assertThat(kinds(draft)).containsExactly("EntryExpired", "EntryPut");
    }

    @Test
    @Promise(10)
    void ofManyMutationsOfOneCommitOneWins() {
        Draft draft = draft(Rows.permanent("a", 7));
        assertThat(Writes.apply(draft, Writes.putIfAbsent(Rows.key("a"), VALUE, ExpiryRule.NEVER)))
                .isEmpty();
        assertThat(Writes.apply(draft, Writes.deleteVersion(Rows.key("a"), 6))).isFalse();
        assertThat(Writes.apply(draft, Writes.deleteVersion(Rows.key("a"), 7))).isTrue();
        assertThat(Writes.apply(draft, Writes.deleteVersion(Rows.key("a"), 7))).isFalse();
        assertThat(Writes.apply(draft, Writes.delete(Rows.key("a")))).isFalse();
        assertThat(Writes.apply(draft, Writes.putIfAbsent(Rows.key("a"), VALUE, ExpiryRule.NEVER)))
                .isPresent();
        assertThat(Writes.apply(draft, Writes.putIfAbsent(Rows.key("a"), VALUE, ExpiryRule.NEVER)))
                .isEmpty();
        assertThat(Bench.events(draft))
                .containsExactly(
                        new EntryDeleted(101, Instant.ofEpochMilli(NOW), "group", "a", 7),
                        new EntryPut(102, Instant.ofEpochMilli(NOW), "group", "a", 102, true, null));
    }

    @Test
    @Promise({3, 9})
    void anotherExpiryLeavesValueAndVersion() {
        Row row = Rows.expiring("a", 7, NOW + 5);
        FakeTransaction transaction = transaction(row);
        Draft draft = draft(transaction, "a");
        assertThat(Writes.apply(draft, Writes.reschedule(Rows.key("a"), ExpiryRule.afterMillis(50))))
                .isTrue();
        Bench.store(draft, transaction);
        assertThat(Bench.events(draft)).isEmpty();
        assertThat(transaction.rows()).containsValue(row.withExpiry(NOW + 50));
        assertThat(transaction.stored()).singleElement().satisfies(change -> {
            assertThat(change.before()).isSameAs(row);
            assertThat(change.after()).isEqualTo(row.withExpiry(NOW + 50));
        });
    }

    @Test
    void onlyRowsThatChangeAreStoredAndEachOnce() {
        FakeTransaction transaction = transaction(Rows.permanent("a", 7), Rows.permanent("b", 8));
        Draft draft = draft(transaction, "a", "b", "c");
        Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.NEVER));
        Writes.apply(draft, Mutation.put(Rows.key("a"), Rows.value("newer"), ExpiryRule.NEVER));
        Writes.apply(draft, Writes.deleteVersion(Rows.key("b"), 1));
        Writes.apply(draft, Writes.delete(Rows.key("c")));
        Bench.store(draft, transaction);
        assertThat(transaction.stored()).singleElement().satisfies(change -> {
            assertThat(change.before()).extracting(Row::version).isEqualTo(7L);
            assertThat(change.after()).extracting(Row::version).isEqualTo(102L);
        });
    }

    @Test
    @Promise({8, 13})
    void aMutationThatThrowsIsUndoneAndItsNeighboursAreNot() {
        FakeTransaction transaction =
                transaction(Rows.permanent("a", 7), Rows.permanent("b", 8), Rows.expiring("c", 9, NOW));
        Draft draft = draft(transaction, "a", "b", "c", "d");
        Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.NEVER));

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Writes.apply(
                        draft,
                        Writes.failing(
                                new IllegalStateException("on purpose"),
                                Rows.key("a"),
                                Rows.key("b"),
                                Rows.key("c"),
                                Rows.key("d"))))
                .withMessage("on purpose");

        Writes.apply(draft, Writes.delete(Rows.key("b")));
        Bench.store(draft, transaction);
        assertThat(kinds(draft)).containsExactly("EntryPut", "EntryDeleted");
        assertThat(transaction.rows()).containsOnlyKeys(Rows.key("a"), Rows.key("c"));
        assertThat(transaction.rows().get(Rows.key("a"))).extracting(Row::value).isEqualTo(VALUE);
        assertSequenceRises(Bench.events(draft));
    }

    @Test
    @Promise({8, 13})
    void anExpiredEntryThatAFailedMutationFoundIsToldByTheNextOneThatFindsIt() {
        Draft draft = draft(Rows.expiring("a", 7, NOW));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() ->
                        Writes.apply(draft, Writes.failing(new IllegalStateException("on purpose"), Rows.key("a"))));
        assertThat(Bench.events(draft)).isEmpty();
        Writes.apply(draft, Writes.delete(Rows.key("a")));
        assertThat(kinds(draft)).containsExactly("EntryExpired");
    }

    @Test
    @Promise(13)
    void clearTellsTheExpiredOneByOneAndTheLiveAtOnce() {
        FakeTransaction transaction =
                transaction(Rows.expiring("a", 7, NOW), Rows.expiring("b", 8, NOW + 1), Rows.permanent("c", 9));
        Draft draft = draft(transaction);
        assertThat(new CommandRunner(draft, transaction)
                        .clear(GroupRange.only("group"))
                        .removed())
                .isEqualTo(2);
        assertThat(Bench.events(draft))
                .containsExactly(
                        new EntryExpired(101, Instant.ofEpochMilli(NOW), "group", "a", 7, Instant.ofEpochMilli(NOW)),
                        new GroupDeleted(102, Instant.ofEpochMilli(NOW), "group", 2));
        assertThat(transaction.rows()).isEmpty();
    }

    @Test
    @Promise({6, 13})
    void aPurgeRemovesNoMoreThanItsBatchAndNothingThatExpiresLater() {
        FakeTransaction transaction = transaction(
                Rows.expiring("a", 7, NOW - 2),
                Rows.expiring("b", 8, NOW - 1),
                Rows.expiring("c", 9, NOW),
                Rows.expiring("d", 10, NOW + 1));
        Draft draft = draft(transaction);
        CommandRunner commands = new CommandRunner(draft, transaction);
        assertThat(commands.purge(GroupRange.ALL, NOW + 1_000, PurgeBudget.of(2))
                        .removed())
                .hasSize(2);
        assertThat(commands.purge(GroupRange.ALL, NOW - 1, PurgeBudget.of(2)))
                .isEqualTo(new PurgeResult(List.of(), false, false));
        assertThat(commands.purge(GroupRange.ALL, NOW + 1_000, PurgeBudget.of(2))
                        .removed())
                .hasSize(1);
        assertThat(Bench.events(draft))
                .map(event -> ((EntryExpired) event).key())
                .containsExactly("a", "b", "c");
        assertThat(transaction.rows()).containsOnlyKeys(Rows.key("d"));
    }

    @Test
    @Promise(9)
    void theSequenceRisesWithEachChange() {
        Draft draft = draft(transaction(Rows.permanent("a", 7), Rows.expiring("b", 8, NOW)), "a", "b");
        Writes.apply(draft, Writes.delete(Rows.key("a")));
        Writes.apply(draft, Writes.delete(Rows.key("b")));
        assertThat(Writes.apply(draft, Mutation.put(Rows.key("a"), VALUE, ExpiryRule.NEVER)))
                .isEqualTo(103);
    }

    @Test
    void aRowThatWasNotNamedIsReadWhenItIsAskedForAndOnce() {
        Row row = Rows.permanent("b", 8);
        FakeTransaction transaction = transaction(row);
        Draft draft = draft(transaction, "a");
        assertThat(draft.rows().contains(Rows.key("b"))).isFalse();
        assertThat(draft.live(Rows.key("b"))).isSameAs(row);
        transaction.rows().clear();
        assertThat(draft.live(Rows.key("b"))).isSameAs(row);
    }

    private static FakeTransaction transaction(Row... rows) {
        FakeDatabase database = new FakeDatabase(new MovableClock(), Integer.MAX_VALUE);
        database.skipTo(100);
        FakeTransaction transaction = new FakeTransaction(database);
        for (Row row : rows) {
            transaction.rows().put(row.key(), row);
        }
        return transaction;
    }

    private static Draft draft(Row... rows) {
        return draft(
                transaction(rows),
                Arrays.stream(rows).map(row -> row.key().key()).toArray(String[]::new));
    }

    private static Draft draft(String... keys) {
        return draft(transaction(), keys);
    }

    private static Draft draft(FakeTransaction transaction, String... keys) {
        List<RowKey> named = Arrays.stream(keys).map(Rows::key).toList();
        CommitSettings settings = CommitSettings.of(List.of(), new Quotas(), () -> 0);
        return new Draft(settings, transaction, named);
    }

    private static List<String> kinds(Draft draft) {
        return Bench.events(draft).stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }

    private static void assertSequenceRises(List<StoreEvent> events) {
        assertThat(events.stream().mapToLong(StoreEvent::sequence).toArray())
                .isSorted()
                .doesNotHaveDuplicates();
    }
}
