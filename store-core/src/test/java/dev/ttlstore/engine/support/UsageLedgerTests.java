package dev.ttlstore.engine.support;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.commit.EngineWrites;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The usage of namespaces, as one process keeps it. Each row takes four bytes. */
@Promise(19)
class UsageLedgerTests {

    private final Engine engine =
            Sqlite.inMemory().open(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
    private final UsageLedger ledger = new UsageLedger();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aNamespaceIsCountedWhenItIsFirstAskedFor() {
        put(row("ns:a", "1"), row("ns:a", "2"), row("ns:b", "3"), row("other:a", "4"), row("ns", "5"));
        assertUsage(3, 2, 12);
        assertThat(ledger.of("ns", this::usage).rowsOf("ns:a")).isEqualTo(2);
        assertThat(ledger.of("ns", this::usage).rowsOf("ns:c")).isZero();
    }

    @Test
    void whatIsCountedFollowsTheCommitsAndIsNotCountedAgain() {
        put(row("ns:a", "1"));
        assertUsage(1, 1, 4);
        UsageLedger.Changes changes = ledger.changes();
        changes.add(new RowChange(null, row("ns:b", "2")));
        changes.add(new RowChange(row("ns:a", "1"), new Row(new RowKey("ns:a", "1"), new byte[9], 1, 0, 0, 1)));
        changes.add(new RowChange(null, row("other:b", "2")));
        assertUsage(1, 1, 4);
        changes.committed();
        assertUsage(2, 2, 14);
    }

    @Test
    void whatIsRolledBackLeavesNothing() {
        assertUsage(0, 0, 0);
        ledger.changes().add(new RowChange(null, row("ns:b", "2")));
        ledger.changes().committed();
        assertUsage(0, 0, 0);
    }

    @Test
    void aRemovedGroupCountsNothingUntilItIsFilledAgain() {
        put(row("ns:a", "1"), row("ns:a", "2"), row("ns:b", "3"));
        assertUsage(3, 2, 12);
        UsageLedger.Changes changes = ledger.changes();
        changes.removed(List.of(new ExpiryRow(new RowKey("ns:a", "1"), 1, 1, 4)));
        changes.removed("ns:a");
        changes.add(new RowChange(null, row("ns:a", "4")));
        changes.committed();
        assertUsage(2, 2, 8);
    }

    @Test
    void expiredRowsThatArePurgedCountNoMore() {
        put(row("ns:a", "1"), row("ns:b", "2"));
        assertUsage(2, 2, 8);
        UsageLedger.Changes changes = ledger.changes();
        changes.removed(List.of(
                new ExpiryRow(new RowKey("ns:b", "2"), 1, 1, 4), new ExpiryRow(new RowKey("x:b", "2"), 1, 1, 4)));
        changes.committed();
        assertUsage(1, 1, 4);
    }

    @Test
    void afterAnUnknownOutcomeEverythingIsCountedAgain() {
        assertUsage(0, 0, 0);
        put(row("ns:a", "1"));
        assertUsage(0, 0, 0);
        ledger.reset();
        assertUsage(1, 1, 4);
    }

    private void put(Row... rows) {
        for (Row row : rows) {
            EngineWrites.store(engine, new RowChange(null, row));
        }
    }

    private void assertUsage(long keys, long groups, long bytes) {
        NamespaceUsage usage = ledger.of("ns", this::usage);
        assertThat(List.of(usage.keys(), usage.groups(), usage.bytes())).containsExactly(keys, groups, bytes);
    }

    private List<GroupUsage> usage(GroupRange groups) {
        return engine.reads().groups(Scan.groups(groups, Reads.ALL, 100)).stream()
                .map(found -> usage(found.group()))
                .toList();
    }

    private GroupUsage usage(String group) {
        List<Row> rows = engine.reads().page(Scan.group(group, Reads.ALL, 100)).rows();
        return new GroupUsage(
                group, rows.size(), rows.stream().mapToLong(Row::bytes).sum());
    }

    private static Row row(String group, String key) {
        return new Row(new RowKey(group, key), new byte[3], 1, 0, 0, Row.NEVER);
    }
}
