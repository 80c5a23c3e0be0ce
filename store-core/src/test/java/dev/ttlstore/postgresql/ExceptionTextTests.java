package dev.ttlstore.postgresql;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** What exceptions say, and what they must not say: keys, values and passwords. */
@Tag("postgresql")
class ExceptionTextTests {

    private static final String KEY = "secret-key";
    private static final String VALUE = "secret-value";
    private static final String PASSWORD = "secret-password";

    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private void execute(String text) throws SQLException {
        Statements.runIn(nodes.schema(), text);
    }

    /** Returns all that a log would show of an exception. */
    private static String text(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static void assertDiscreet(Throwable failure, String problem) {
        assertThat(failure).isInstanceOf(StoreException.class).hasMessageContaining(problem);
        assertThat(text(failure)).doesNotContain("secret");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                assertThat((Throwable) sql.getNextException()).isNull();
            }
        }
    }

    @Test
    void aViolatedConstraintIsReportedWithoutTheRow() throws SQLException {
        TextGroup group = nodes.open().group("group");
        group.put("other", "value");
        execute("ALTER TABLE @entry ADD CONSTRAINT short CHECK (key NOT LIKE 'secret%')");
        assertDiscreet(
                catchThrowable(() -> group.put(KEY, VALUE)), "PostgreSQL has refused a statement of the store (23514)");
        assertThat(group.get("other")).contains("value");
        group.put("other", "changed");
    }

    @Test
    void anErrorOfAFunctionIsReportedWithoutWhatItQuotes() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "a table has no triggers there");
        TextGroup group = nodes.open().group("group");
        group.put(KEY, VALUE);
        execute("CREATE FUNCTION @fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE EXCEPTION 'no' USING DETAIL = NEW.key, HINT = NEW.key; END $$");
        execute("CREATE TRIGGER fail BEFORE UPDATE ON @entry FOR EACH ROW EXECUTE FUNCTION @fail()");
        assertDiscreet(
                catchThrowable(() -> group.put(KEY, VALUE)), "PostgreSQL has refused a statement of the store (P0001)");
    }

    @Test
    @Promise(23)
    void aFaultOfTheServerIsReportedOnceItIsKnownThatNothingWasWritten() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "a table has no triggers there");
        TextGroup group = nodes.open().group("group");
        group.put(KEY, "before");
        execute("CREATE FUNCTION @fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE EXCEPTION 'no' USING ERRCODE = 'XX000', DETAIL = NEW.key; END $$");
        execute("CREATE TRIGGER fail BEFORE UPDATE ON @entry FOR EACH ROW EXECUTE FUNCTION @fail()");
        assertDiscreet(catchThrowable(() -> group.put(KEY, VALUE)), "PostgreSQL reports a fault of its own (XX000)");
        assertDiscreet(catchThrowable(() -> group.putAll(Map.of(KEY, VALUE, "other", VALUE))), "XX000");
        assertThat(group.getAll()).containsExactly(Map.entry(KEY, "before"));
        execute("DROP TRIGGER fail ON @entry");
        group.put(KEY, VALUE);
        assertThat(group.get(KEY)).contains(VALUE);
    }

    @Test
    void missingTablesAreReportedWithTheRemedy() throws SQLException {
        TextGroup group = nodes.open().group("group");
        execute("ALTER TABLE @entry RENAME TO entry_away");
        assertDiscreet(catchThrowable(() -> group.get(KEY)), "Tables of the store are missing");
        assertDiscreet(catchThrowable(() -> group.put(KEY, VALUE)), "apply schema.sql");
        execute("ALTER TABLE @entry_away RENAME TO entry");
        group.put(KEY, VALUE);
        assertThat(group.get(KEY)).contains(VALUE);
    }

    @Test
    void aServerThatIsAwayIsReportedWithoutThePassword() throws Exception {
        Proxy proxy = nodes.proxy();
        PGSimpleDataSource source = TestServer.through(proxy);
        source.setPassword(PASSWORD);
        proxy.refuse();
        assertDiscreet(
                catchThrowable(() -> {
                    try (Store store = nodes.open(nodes.hastyPool(2, source))) {
                        store.check();
                    }
                }),
                "The connection to PostgreSQL is lost or could not be made");
        assertDiscreet(
                catchThrowable(() -> {
                    try (Store store = nodes.open(source)) {
                        store.check();
                    }
                }),
                "The connection to PostgreSQL is lost or could not be made");
    }
}
