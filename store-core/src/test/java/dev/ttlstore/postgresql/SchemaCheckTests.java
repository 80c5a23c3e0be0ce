package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** What is said of tables that are not as they must be. */
@Tag("postgresql")
class SchemaCheckTests extends OwnSchema {

    @Test
    void whatIsMissingIsNamed() throws SQLException {
        open(true).close();
        execute("ALTER TABLE \"" + schema + "\".entry DROP COLUMN updated_at");
        execute("DROP TABLE \"" + schema + "\".usage");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("column entry.updated_at")
                .hasMessageContaining("table usage");
    }

    @Test
    void missingKeysIndexesAndCollationsAreNamed() throws SQLException {
        open(true).close();
        execute("DROP INDEX \"" + schema + "\".entry_due");
        execute("ALTER TABLE \"" + schema + "\".log DROP CONSTRAINT log_pkey");
        execute("ALTER TABLE \"" + schema + "\".retained ALTER COLUMN key TYPE text COLLATE \"default\"");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("index entry_due")
                .hasMessageContaining("primary key of log")
                .hasMessageContaining("collation \"C\" of retained.key");
    }

    /** They would lose entries in a crash, hide some, or refuse some later. */
    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE @entry SET UNLOGGED, the table entry is UNLOGGED, SET LOGGED",
        "ALTER TABLE @log SET UNLOGGED, the table log is UNLOGGED, SET LOGGED",
        "ALTER TABLE @entry ALTER version TYPE integer, entry.version is integer instead of bigint, ALTER COLUMN",
        "ALTER TABLE @retained ALTER key TYPE varchar(9) COLLATE \"C\", retained.key is character varying(9) instead of text, ALTER",
        "ALTER TABLE @usage ENABLE ROW LEVEL SECURITY; ALTER TABLE @usage FORCE ROW LEVEL SECURITY,"
                + " row security of the table usage, DISABLE ROW LEVEL SECURITY",
        "CREATE RULE lost AS ON INSERT TO @entry DO INSTEAD NOTHING, the table entry has a rule, DROP RULE",
        "CREATE TRIGGER lost BEFORE UPDATE ON @entry FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger(),"
                + " or a trigger BEFORE each row, DROP TRIGGER"
    })
    @Promise({11, 12})
    void aTableThatIsNotAsItMustBeIsNamedWithTheRemedy(String change, String problem, String remedy)
            throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(change.replace("@", '"' + schema + "\"."));
        }
        assertThatThrownBy(() -> open(TestServer.dataSource(), schema, true))
                .isInstanceOfSatisfying(
                        StoreSchemaException.class, e -> assertThat(e.schema()).isEqualTo(schema))
                .hasMessageContaining(problem)
                .hasMessageContaining(remedy);
    }

    @Test
    @Promise(11)
    void aPartOfATableIsCheckedLikeTheTable() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        TestServer.partitionEntries(schema);
        open(false).close();
        execute("ALTER TABLE \"" + schema + "\".entry_1 SET UNLOGGED");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("the table entry_1 is UNLOGGED");
    }

    /** Such as one that copies changes elsewhere, or one that is not used. */
    @Test
    void aTriggerThatDropsNothingIsNoHindrance() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        String trigger = "CREATE TRIGGER %s %s UPDATE ON \"" + schema
                + "\".entry FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()";
        execute(
                trigger.formatted("copies", "AFTER"),
                trigger.formatted("unused", "BEFORE"),
                "ALTER TABLE \"" + schema + "\".entry DISABLE TRIGGER unused");
        open(false).close();
    }

    /** It applies to others than the owner. */
    @Test
    void rowSecurityThatDoesNotApplyToTheRoleIsNoHindrance() throws SQLException {
        open(true).close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE \"" + schema + "\".entry ENABLE ROW LEVEL SECURITY");
        }
        open(false).close();
    }

    @Test
    void aCheckNoticesThatTheEntriesAreGone() throws SQLException {
        try (Store store = open(true)) {
            store.check();
            execute("DROP TABLE \"" + schema + "\".entry");
            assertThatThrownBy(store::check).isInstanceOf(StoreException.class).hasMessageContaining("missing");
        }
    }

    @Test
    void missingRowsAreNamed() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "only reads and writes of a slot notice it there");
        open(true).close();
        execute("DELETE FROM \"" + schema + "\".lease WHERE role = 'purge' AND slot = 3");
        execute("DELETE FROM \"" + schema + "\".log WHERE slot = 5");
        assertThatThrownBy(() -> open(true))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("2 of 32 slots")
                .hasMessageContaining("INSERT");
    }
}
