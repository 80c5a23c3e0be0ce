package dev.ttlstore.internal.commit;

import java.util.List;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.cache.NoCache;

/** What a draft needs, on rows in a map. */
final class Bench {

    private final FakeDatabase database;
    private final FakeTransaction transaction;
    private final QuotaGuards quotas = new QuotaGuards();
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
        return new Draft(
                new Draft.Settings(retained, quotas, NoCache.INSTANCE, group -> false, () -> 0),
                transaction,
                List.of(keys));
    }

    FakeTransaction transaction() {
        return transaction;
    }

    QuotaGuards quotas() {
        return quotas;
    }

    static List<String> kinds(Draft draft) {
        return draft.log().events().stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
