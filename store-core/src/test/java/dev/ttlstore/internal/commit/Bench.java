package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.Map;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.NoCache;

/** What a draft needs, on rows in a map. */
final class Bench {

    private final FakeTransaction transaction;
    private final UsageLedger ledger = new UsageLedger();
    private boolean retaining;

    private Bench(int pageRows, Row... rows) {
        this.transaction = new FakeTransaction(Map.of(), List.of(), new StoreState(100, 0), pageRows);
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
        retaining = true;
        return this;
    }

    /** Begins a commit at {@link Rows#NOW}, whose sequence goes on from 100. */
    Draft draft(RowKey... keys) {
        StoreClock clock = new StoreClock(new MovableClock(), 0);
        Draft.Settings settings = new Draft.Settings(
                clock,
                100,
                transaction.state(),
                retaining,
                List.of(),
                ledger,
                SavedState.Reserve.WITH_COMMIT,
                NoCache.INSTANCE);
        return new Draft(settings, transaction.reads(), List.of(keys));
    }

    FakeTransaction transaction() {
        return transaction;
    }

    UsageLedger ledger() {
        return ledger;
    }

    static List<String> kinds(Draft draft) {
        return draft.log().events().stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
