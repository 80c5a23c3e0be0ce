package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.NewerSchemaException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Tables of earlier and later versions, as during a rolling update. */
@Tag("postgresql")
class SchemaLayoutTests extends OwnSchema {

    @Test
    void aNewerLayoutIsNotTouched() throws SQLException {
        open(true).close();
        execute("UPDATE \"" + schema + "\".layout SET version = 1000");
        assertThatThrownBy(() -> open(true))
                .isInstanceOfSatisfying(
                        NewerSchemaException.class, e -> assertThat(e.layout()).isEqualTo(1000))
                .hasMessageContaining("1000");
    }

    /** As during a rolling update. */
    @Test
    void aNewerVersionMayAddToTheTablesWhileThisOneRuns() throws Exception {
        try (Store running = open(true);
                Watch watch = running.group("group").watch()) {
            running.group("group").put("before", "value");
            execute(
                    "INSERT INTO \"@\".layout (version, slots) SELECT 3, slots FROM \"@\".layout".replace("@", schema),
                    "ALTER TABLE \"@\".entry ADD COLUMN colour text NOT NULL DEFAULT 'blue'".replace("@", schema),
                    "ALTER TABLE \"@\".log ADD COLUMN colour text".replace("@", schema),
                    "CREATE TABLE \"@\".colour (name text)".replace("@", schema));
            for (boolean initialize : new boolean[] {true, false}) {
                try (Store restarted = open(initialize)) {
                    TextGroup group = restarted.group("group");
                    assertThat(group.get("before")).contains("value");
                    group.put("key" + initialize, "value");
                    assertThat(restarted.counters("counters").increment("restarts"))
                            .isPositive();
                    restarted.transact(tx -> tx.group("group").put("both" + initialize, "value"));
                    assertThat(running.group("group").take("key" + initialize)).contains("value");
                    assertThat(running.purgeExpired()).isZero();
                }
            }
            assertThat(running.counters("counters").get("restarts")).contains(2L);
            for (int i = 0; i < 7; i++) {
                assertThat(watch.poll(Nodes.PATIENCE)).isPresent();
            }
        }
        execute("DELETE FROM \"@\".layout WHERE version = 2".replace("@", schema));
        assertThatThrownBy(() -> open(true)).isInstanceOf(NewerSchemaException.class);
        execute(file().replace("ttl_store", schema));
        assertThatThrownBy(() -> open(true)).isInstanceOf(NewerSchemaException.class);
    }

    /** They lock by a number that they have from the name of the schema. */
    @Test
    @Promise(10)
    void whileNodesOfTheFirstLayoutMayWriteTheirLocksCountToo() throws Exception {
        assumeFalse(TestServer.isDistributed(), "rows were always locked there");
        open(true).close();
        execute("UPDATE \"@\".layout SET version = 1".replace("@", schema));
        String locked = "SELECT pg_advisory_xact_lock(%d, slot) FROM \"%s\".slot".formatted(Sql.number(schema), schema);
        try (Connection earlier = TestServer.dataSource().getConnection();
                Statement statement = earlier.createStatement();
                Store updated = openImpatient()) {
            TextGroup group = updated.group("group");
            earlier.setAutoCommit(false);
            statement.execute(locked);
            assertThatThrownBy(() -> group.put("key", "value")).hasMessageContaining("holds the rows");
            assertThatThrownBy(() -> updated.transactWithoutResult(
                            tx -> tx.group("group").put("key", "value")))
                    .hasMessageContaining("holds the rows");
            assertThatThrownBy(() -> updated.group("group").putAll(Map.of("key", "value", "other", "value")))
                    .hasMessageContaining("holds the rows");
            earlier.commit();
            group.put("key", "value");
        }
        execute(lastStatementOfFile().replace("ttl_store", '"' + schema + '"'));
        try (Connection other = TestServer.dataSource().getConnection();
                Statement statement = other.createStatement();
                Store updated = openImpatient()) {
            other.setAutoCommit(false);
            statement.execute(locked);
            updated.group("group").put("key", "again");
            updated.transactWithoutResult(tx -> tx.group("group").put("key", "again"));
        }
    }

    private Store openImpatient() {
        return Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema).timeouts(Nodes.LIMITS))
                .open();
    }

    private static String lastStatementOfFile() throws IOException {
        return file().lines()
                .reduce((earlier, later) -> later)
                .map(line -> line.substring("-- ".length()))
                .orElseThrow();
    }
}
