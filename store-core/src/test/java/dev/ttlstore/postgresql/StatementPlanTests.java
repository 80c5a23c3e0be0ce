package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * A statement costs what it answers, not what the store holds: none reads the whole of a table that grows. The server tells the plan
 * of each statement that a node sends while it does all that a store can do.
 */
@Tag("postgresql")
@Promise(6)
class StatementPlanTests {

    private static final String GROWING = "(?:entry|log|retained|delivery|usage)";

    private static final Pattern WHOLE_TABLE = Pattern.compile("Seq Scan on " + GROWING + "\\b");

    /** A scan of an index, up to the next node of the plan. */
    private static final Pattern INDEX_SCAN = Pattern.compile("(?:Index (?:Only )?Scan [^\\n]* on " + GROWING
            + "\\b|Bitmap Index Scan on)[^\\n]*\\n((?:(?!->)[^\\n])*\\n?)*");

    private static final Pattern SORTED_LOG = Pattern.compile("\\bSort\\n(?:[^\\n]*\\n){1,3}[^\\n]*Scan on log\\b");

    /** Parts of the statements that may. */
    private static final List<String> ALLOWED = List.of(
            // They count all rows, which PostgreSQL does not know.
            "SELECT (SELECT count(*) FROM ",
            // It stops at the first row.
            "SELECT EXISTS (SELECT 1 FROM ",
            // It reads as many rows as it has keys. For many keys of a small table, one walk over it is shorter than as
            // many steps.
            "int[], $2::text[], $3::text[]) k (slot, grp, key)");

    private final String target = TestServer.freshSchema();
    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @BeforeEach
    void fill() throws SQLException {
        assumeFalse(TestServer.isGiven(), "only a superuser may load what tells the plans");
        FullUse.open(nodes, PostgreSql.on(nodes.pool(2, TestServer.dataSource())))
                .close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = \"" + nodes.schema() + '"');
            Slots slots = new Slots(32);
            long now = System.currentTimeMillis();
            for (int i = 0; i < 11; i++) {
                String group = "group" + i;
                statement.addBatch("""
                        INSERT INTO entry SELECT %1$d, '%2$s', 'key' || i, i, %3$d, %3$d, t, t, 'value'
                          FROM (SELECT i, CASE i %% 4 WHEN 0 THEN %3$d + 3600000 + i WHEN 1 THEN %3$d - i END AS t
                                  FROM generate_series(1, 1500) i) r
                        """.formatted(slots.of(group), group, now));
                statement.addBatch(
                        "INSERT INTO retained SELECT %d, '%s', 'key' || i, i, %3$d, %3$d, %3$d - 60000 + i, 'value'"
                                        .formatted(slots.of(group), group, now)
                                + " FROM generate_series(1, 500) i");
                statement.addBatch("""
                        INSERT INTO delivery SELECT %1$d, 'other' || i, i + %4$d * 1000, '%2$s', 'key' || i, i, %3$d, 1,
                               CASE WHEN i %% 2 = 0 THEN %3$d + 3600000 END, 'failed', 'value'
                          FROM generate_series(1, 500) i
                        """.formatted(slots.of(group), group, now, i));
            }
            statement.addBatch("INSERT INTO usage SELECT s, 'name' || i, g, 1, 1, 1"
                    + " FROM generate_series(0, 31) s, generate_series(1, 100) i, unnest(ARRAY['', 'group']) g");
            statement.addBatch("INSERT INTO log SELECT s, i, 1, 0, gen_random_uuid(), NULL, false, NULL"
                    + " FROM generate_series(0, 31) s, generate_series(10, 600) i");
            statement.executeBatch();
            statement.execute("ANALYZE entry, log, retained, delivery, usage, lease, slot, subscriber, layout");
        }
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
        TestServer.drop(target);
    }

    @Test
    void noStatementReadsAWholeTableThatGrows() throws Exception {
        requireIndexes("force_generic_plan");
    }

    @Test
    @Tag("variant")
    void noStatementReadsAWholeTableThatGrowsIfItIsPlannedEachTime() throws Exception {
        requireIndexes("force_custom_plan");
    }

    /**
     * While the server has no statistics, it takes a slot for a few rows, which it would rather sort than read in order. A read outside of
     * a transaction still does, because the store sets nothing there.
     */
    @ParameterizedTest
    @ValueSource(ints = {10, 40})
    void noWriteSortsTheLogIfThereAreNoStatistics(int rows) throws Exception {
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = \"" + nodes.schema() + '"');
            statement.execute(
                    "CREATE TEMPORARY TABLE head AS SELECT DISTINCT ON (slot) * FROM log ORDER BY slot, seq DESC");
            statement.execute("TRUNCATE log");
            statement.execute("DELETE FROM pg_catalog.pg_statistic WHERE starelid = 'log'::regclass");
            statement.execute("INSERT INTO log SELECT * FROM head");
            statement.execute("INSERT INTO log SELECT s, i, 1, 0, gen_random_uuid(), NULL, false, NULL"
                    + " FROM generate_series(0, 31) s, generate_series(1000, 1000 + " + rows + ") i");
        }
        PlanTap tap = new PlanTap("auto");
        new FullUse(nodes, tap.source()).copyTo(target);
        Map<String, String> wrong = new TreeMap<>();
        tap.plans().forEach((text, plans) -> plans.stream()
                .filter(plan -> !text.strip().startsWith("SELECT")
                        && SORTED_LOG.matcher(plan).find())
                .forEach(plan -> wrong.put(text, plan)));
        assertThat(wrong).isEmpty();
    }

    private void requireIndexes(String mode) throws Exception {
        PlanTap tap = new PlanTap(mode);
        new FullUse(nodes, tap.source()).copyTo(target);
        Map<String, String> wrong = new TreeMap<>();
        tap.plans().forEach((text, plans) -> {
            if (ALLOWED.stream().noneMatch(text::contains)) {
                plans.stream().filter(StatementPlanTests::readsAWholeTable).forEach(plan -> wrong.put(text, plan));
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(tap.plans()).hasSizeGreaterThan(100);
    }

    private static boolean readsAWholeTable(String plan) {
        return WHOLE_TABLE.matcher(plan).find()
                || INDEX_SCAN.matcher(plan).results().anyMatch(scan -> !scan.group()
                        .contains("Index Cond:"));
    }
}
