package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.ttlstore.contract.Assertions.assertThat;

/** That the campaign would notice what it looks for in the writes. */
class LedgerTests {

    @TempDir
    Path folder;

    private final Ledger ledger = new Ledger();
    private Journal journal;
    private ProcessJournal process;

    @BeforeEach
    void begin() throws IOException {
        journal = new Journal(folder.resolve("journal"));
        process = new ProcessJournal(folder.resolve("journal"), "node");
    }

    private void put(String value, long version) {
        journal.write(Journal.BEGUN, "w", Names.OWN, "key", value);
        journal.write(Journal.ACKNOWLEDGED, "w", version);
    }

    private void check(Map<String, String> own, long count, Long... logged) throws IOException {
        ledger.read(process);
        ledger.check(own, Map.of(Names.COUNTS, Map.of("key", count)), Set.of(logged));
    }

    @Test
    void theLastAcknowledgedValueMustBeThere() throws IOException {
        put("1", 10);
        put("2", 11);
        check(Map.of("key", "2"), 0, 10L, 11L);
        assertThat(ledger.faults()).isEmpty();
        check(Map.of("key", "1"), 0);
        assertThat(ledger.faults()).hasSize(1);
    }

    @Test
    void aWriteThatHasFailedMayNotBeThereAndOneThatWasUnderWayMay() throws IOException {
        put("1", 10);
        journal.write(Journal.BEGUN, "w", Names.OWN, "key", "2");
        journal.write(Journal.FAILED, "w");
        journal.write(Journal.BEGUN, "w", Names.OWN, "key", "3");
        process.end();
        check(Map.of("key", "3"), 0, 10L);
        assertThat(ledger.faults()).isEmpty();
        check(Map.of("key", "2"), 0);
        assertThat(ledger.faults()).hasSize(1);
    }

    @Test
    void versionsAreGivenOnceAndAreInTheLog() throws IOException {
        put("1", 10);
        put("2", 10);
        check(Map.of("key", "2"), 0);
        assertThat(ledger.faults()).hasSize(2);
    }

    @Test
    void incrementsMayNotBeLostNorMadeTwice() throws IOException {
        journal.write(Journal.BEGUN, "c", Names.COUNTS, "key", "1");
        journal.write(Journal.ACKNOWLEDGED, "c", 1);
        journal.write(Journal.BEGUN, "c", Names.COUNTS, "key", "1");
        journal.write(Journal.UNKNOWN, "c");
        check(Map.of(), 2);
        check(Map.of(), 1);
        assertThat(ledger.faults()).isEmpty();
        check(Map.of(), 3);
        check(Map.of(), 0);
        assertThat(ledger.faults()).hasSize(2);
    }

    @Test
    void everyExpiryIsHandledButNoneThatWasNotWritten() throws IOException {
        journal.write(Journal.BEGUN, "b", Names.BRIEF, "some", "some");
        journal.write(Journal.ACKNOWLEDGED, "b", 1);
        journal.write(Journal.BEGUN, "b", Names.BRIEF, "other", "other");
        journal.write(Journal.FAILED, "b");
        check(Map.of(), 0);
        assertThat(ledger.isAllHandled()).isFalse();
        journal.write(Journal.HANDLED, "some", 1, "some");
        check(Map.of(), 0);
        assertThat(ledger.isAllHandled()).isTrue();
        assertThat(ledger.faults()).isEmpty();
        journal.write(Journal.HANDLED, "other", 2, "other");
        check(Map.of(), 0);
        assertThat(ledger.faults()).hasSize(1);
    }
}
