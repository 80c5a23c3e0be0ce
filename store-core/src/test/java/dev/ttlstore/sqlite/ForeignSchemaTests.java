package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.VerificationReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What somebody has put into the schema of a store's file, so that it runs within the statements of the store. */
@Promise({10, 21})
@Timeout(30)
class ForeignSchemaTests extends BackedUpFile {

    private static final String KEEPS_WHAT_IS_DELETED =
            "CREATE TRIGGER evil BEFORE DELETE ON entry BEGIN SELECT RAISE(IGNORE); END";

    /** Has the columns of the table, and rows without end. */
    private static final String ENDLESS_VIEW =
            "CREATE VIEW %s AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
                    + " SELECT id, 'g' AS grp, 'k' AS key, 1 AS version, 1 AS sequence, 1 AS time, 1 AS checksum FROM n WHERE id < 0";

    private void makeStore() {
        try (Store store = open()) {
            store.group("group").put("key", "value");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                KEEPS_WHAT_IS_DELETED,
                "CREATE VIEW other AS SELECT * FROM entry",
                "CREATE TABLE other (x)",
                "CREATE INDEX other ON entry (version)",
                "ALTER TABLE entry ADD COLUMN copied BLOB GENERATED ALWAYS AS (value) VIRTUAL",
                "ALTER TABLE subscriber ADD COLUMN note TEXT CHECK (length(note) < 3)",
                "CREATE VIRTUAL TABLE other USING fts5(x)"
            })
    void isRefusedAtTheOpeningAndFoundByAVerification(String sql) throws Exception {
        makeStore();
        Sql.run(file, sql);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("not of a store");
        VerificationReport report = Sqlite.file(file).verify(progress -> {});
        assertThat(report.findings())
                .extracting(Finding::problem)
                .anyMatch(problem -> problem.contains("foreign or changed"));
    }

    @Test
    void aRepairLeavesOutWhatDoesNotBelongToAStore() throws SQLException {
        makeStore();
        Sql.run(file, KEEPS_WHAT_IS_DELETED, "CREATE TABLE other (x)");
        assertThat(Sqlite.file(file).repair(progress -> {}).kept()).isEqualTo(1);
        try (Store store = open()) {
            assertThat(store.group("group").take("key")).contains("value");
            assertThat(store.group("group").take("key")).isEmpty();
        }
        assertThat(Sql.query(file, "SELECT name FROM sqlite_schema WHERE name IN ('evil', 'other')"))
                .isEmpty();
    }

    @Test
    void aTriggerWithTheNameOfAnIndexIsHiddenByNothing() throws SQLException {
        makeStore();
        String index = "delivery_due";
        String definition = Sql.query(file, "SELECT sql FROM sqlite_schema WHERE name = '" + index + "'")
                .get(0);
        Sql.run(
                file,
                "DROP INDEX " + index,
                KEEPS_WHAT_IS_DELETED.replace("evil", index),
                definition); // comes after the trigger, and has its name
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("trigger '" + index + "'");
        assertThat(Sqlite.file(file).verify(progress -> {}).findings())
                .extracting(Finding::problem)
                .anyMatch(problem -> problem.contains("trigger"));
        assertThat(Sqlite.file(file).repair(progress -> {}).kept()).isEqualTo(1);
        open().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"entry", "mark", "aged_group"})
    void aViewInThePlaceOfATableHangsNothing(String table) throws SQLException {
        makeStore();
        try (Store store = open()) {
            store.backup(backup);
        }
        for (Path each : List.of(file, backup)) {
            Sql.run(each, "DROP TABLE " + table, ENDLESS_VIEW.formatted(table));
        }
        assertThatExceptionOfType(StoreFormatException.class).isThrownBy(this::open);
        assertThat(Sqlite.file(file).verify(progress -> {}).isSound()).isFalse();
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(() -> Sqlite.file(file).repair(progress -> {}))
                .withMessageContaining("in the place of its own");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.builder()
                        .engine(Sqlite.file(file.resolveSibling("restored.db")).restoreFrom(backup))
                        .open())
                .withMessageContaining("not of a store");
    }

    @Test
    void aFileOfAnEarlierLayoutIsNotMigratedByItsTriggers() throws SQLException {
        makeStore();
        DamagedFile.makeEarlier(file);
        Sql.run(file, KEEPS_WHAT_IS_DELETED);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("trigger 'evil'");
        Sql.run(file, "DROP TRIGGER evil", "CREATE TABLE other (x)");
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("table 'other'");
        Sql.run(file, "DROP TABLE other");
        open().close();
    }

    @Test
    void anEmptyFileWithAViewOfOurNameIsSomebodyElses() throws SQLException {
        Sql.run(file, "CREATE VIEW entry AS SELECT 1");
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("another application");
    }

    @Test
    void theTablesOfLitestreamAndTheStatisticsOfSqliteBelongThere() throws SQLException {
        makeStore();
        Sql.run(
                file,
                "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
                "CREATE TABLE _litestream_lock (id INTEGER)",
                "ANALYZE");
        try (Store store = open()) {
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(store.verify().isSound()).isTrue();
        }
    }

    @Test
    void aTriggerThatIsAddedToAnOpenStoreRunsNothing() throws SQLException {
        try (Store store = open()) {
            store.group("group").put("key", "value");
            Sql.run(file, KEEPS_WHAT_IS_DELETED);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.group("group").take("key"));
            assertThat(store.verify().findings())
                    .extracting(Finding::problem)
                    .anyMatch(problem -> problem.contains("evil"));
            Sql.run(file, "DROP TRIGGER evil");
            assertThat(store.group("group").take("key")).contains("value");
        }
    }
}
