package dev.ttlstore.engine.commit;

import java.util.List;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.internal.commit.ChangeEvents;

/** What a draft needs, on rows in a map. */
final class Bench {

    private final FakeDatabase database;
    private final FakeTransaction transaction;
    private final Quotas quotas = new Quotas();
    private List<GroupRange> retained = List.of();

    private Bench(int pageRows, Row... rows) {
        this.database = new FakeDatabase(new MovableClock(), pageRows);
        database.skipTo(100);
        this.transaction = new FakeTransaction(database);
        for (Row row : rows) {
            transaction.rows().put(row.key(), row);
        }
    }

    static Bench with(Row... rows) {
        return new Bench(Integer.MAX_VALUE, rows);
    }

    /** Rows that scans find some at a time. */
    static Bench inPages(int pageRows, Row... rows) {
        return new Bench(pageRows, rows);
    }

    Bench retaining() {
        retained = List.of(GroupRange.ALL);
        return this;
    }

    /** Begins a commit at {@link Rows#NOW}, whose sequence goes on from 100. */
    Draft draft(RowKey... keys) {
        return new Draft(CommitSettings.of(retained, quotas, () -> 0), transaction, List.of(keys));
    }

    FakeTransaction transaction() {
        return transaction;
    }

    Quotas quotas() {
        return quotas;
    }

    /** The events of a draft so far. */
    static List<StoreEvent> events(Draft draft) {
        return ChangeEvents.of(draft.writes().changes(), group -> false);
    }

    static List<String> kinds(Draft draft) {
        return events(draft).stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }

    /** Stores what a draft has decided. */
    static void store(Draft draft, FakeTransaction transaction) {
        boolean unused = transaction.store(
                draft.writes().from(transaction.now()), draft.settings().retained());
    }
}
