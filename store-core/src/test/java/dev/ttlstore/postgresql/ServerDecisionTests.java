package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.exception.QuotaExceededException.Amounts;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** The server's function and this node's decisions come to the same, for random batches. */
@Tag("postgresql")
class ServerDecisionTests {

    private final SplittableRandom random = new SplittableRandom(RandomRequests.SEED);
    private final MovableClock clock = new MovableClock();
    private final Nodes nodes = new Nodes();
    private final HikariDataSource pool = nodes.pool(2, TestServer.dataSource());
    private final Quotas quotas = new Quotas();
    private final Map<RowKey, Row> model = new HashMap<>();
    private final RandomRequests requests = new RandomRequests(random, clock::millis, model);
    private final PostgreSqlEngine engine;
    private final Slots slots;
    private @Nullable Committed committed;

    ServerDecisionTests() {
        PostgreSqlSettings settings = new PostgreSqlSettings(pool);
        settings.schema = nodes.schema();
        settings.decisionNanos = 1;
        engine = new PostgreSqlEngine(
                settings, new EngineSettings(true, Duration.ofSeconds(1), clock), TableCheck.Use.STORE);
        slots = engine.node().slots();
        quotas.set("few", new Amounts(6, 2, 90));
        quotas.set("many", new Amounts(1_000, 0, 0));
        engine.start(new IgnoredChanges());
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
        nodes.close();
    }

    /** One function decides for one operation and one for many, because arrays take time; the rules in them are one text. */
    @Test
    void bothFunctionsDecideByTheSameText() {
        String script = SchemaScript.read(SchemaScript.FUNCTIONS);
        int first = script.indexOf("<<decision>>");
        int second = script.lastIndexOf("<<decision>>");
        String end = "\n        END;\n";
        assertThat(second).isGreaterThan(first);
        assertThat(script.substring(first, script.indexOf(end, first)))
                .isEqualTo(script.substring(second, script.indexOf(end, second)));
    }

    @Test
    @Promise({2, 3, 9, 10, 19})
    void comeToTheSame() throws SQLException {
        int inServer = 0;
        boolean distributed =
                TestServer.isDistributed(); // where the server decides single operations, and each call takes long
        int batches = distributed ? 2_000 : Effort.of(10_000, 1_000_000);
        for (int i = 1; i <= batches; i++) {
            clock.advance(Duration.ofMillis(random.nextInt(10) < 8 ? random.nextInt(4) : random.nextInt(60) - 20));
            Batch.Requests batch = batch();
            Committed done = apply(batch);
            if (done == null) {
                load();
            } else {
                inServer++;
                compare(batch, done);
            }
            if (i % 250 == 0 || i == batches) {
                compareTables();
            }
            if (i % 10_000 == 0) {
                vacuum();
            }
        }
        assertThat(inServer).isGreaterThan(batches / (distributed ? 10 : 2));
    }

    /** The server of the tests does not do it by itself, and each comparison would read what is dead. */
    private void vacuum() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM " + nodes.schema() + ".entry, " + nodes.schema() + ".log");
        }
    }

    /** Returns null if the batch was not decided in the server. */
    private @Nullable Committed apply(Batch.Requests batch) {
        Map<String, Long> before = engine.writes().lockedCommits();
        while (true) {
            try {
                committed = null;
                engine.apply(batch, new CommitObserver() {
                    @Override
                    public void committed(Committed done) {
                        committed = done;
                    }
                });
                return engine.writes().lockedCommits().equals(before) ? requireNonNull(committed) : null;
            } catch (ConflictException e) {
                // Decided again.
            }
        }
    }

    private Batch.Requests batch() {
        return new Batch.Requests(CommitSettings.of(List.of(), quotas, engine.clock()), requests.next());
    }

    private void compare(Batch.Requests batch, Committed done) {
        FoundRows found = new FoundRows(slots, done.writes().by());
        slots.all().forEach(slot -> found.startFrom(slot, 0));
        Map<Integer, Long> first = new HashMap<>();
        for (Change change : done.writes().changes()) {
            first.merge(slots.slot(change.sequence()), slots.seq(change.sequence()), Math::min);
        }
        first.forEach(found::startFrom);
        model.values().forEach(found::add);
        Committed expected = RowBatch.afterwards(batch, found);
        assertThat(texts(done.answers())).isEqualTo(texts(expected.answers()));
        assertThat(done.writes().changes().toString())
                .isEqualTo(expected.writes().changes().toString());
        for (RowChange change : expected.writes().rows()) {
            Row after = change.after();
            if (after == null) {
                model.remove(change.key());
            } else {
                model.put(change.key(), after);
            }
        }
        assertWithinQuotas(expected);
    }

    /** What the server accepts is within the quotas, or does not grow. */
    private void assertWithinQuotas(Committed done) {
        long grown = done.writes().rows().stream()
                .filter(change -> "few".equals(Namespaces.of(change.key().group())))
                .mapToLong(change -> (change.after() == null ? 0 : 1) - (change.before() == null ? 0 : 1))
                .sum();
        if (grown > 0) {
            long keys = model.keySet().stream()
                    .filter(key -> "few".equals(Namespaces.of(key.group())))
                    .count();
            assertThat(keys).isLessThanOrEqualTo(6);
        }
    }

    static List<String> texts(List<Answer> answers) {
        return answers.stream().map(ServerDecisionTests::text).toList();
    }

    private static String text(Answer answer) {
        RuntimeException failure = answer.failure();
        if (failure != null) {
            return failure.toString();
        }
        StringBuilder text = new StringBuilder().append(answer.accepted());
        for (Outcome outcome : answer.outcomes()) {
            text.append(' ').append(outcome.applied()).append(outcome.found()).append(outcome.version());
            if (outcome.row() != null) {
                text.append(text(outcome.row()));
            }
        }
        return text.toString();
    }

    private static String text(Row row) {
        return row.key() + " " + row.version() + " " + row.createdAt() + " " + row.updatedAt() + " " + row.expiresAt()
                + " " + Arrays.toString(row.value());
    }

    private Map<RowKey, Row> stored() throws SQLException {
        Map<RowKey, Row> rows = new HashMap<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement query =
                        connection.prepareStatement("SELECT version, created_at, updated_at, coalesce(expires_at, "
                                + Row.NEVER + "), value, grp, key, due_at FROM \"" + nodes.schema() + "\".entry");
                ResultSet result = query.executeQuery()) {
            while (result.next()) {
                RowKey key = RowColumns.key(result, 6);
                Row row = RowColumns.row(key, result);
                rows.put(key, row);
                if (row.expiresAt() != Row.NEVER) {
                    assertThat(result.getLong(8))
                            .isBetween(row.expiresAt() - ExpiryIndex.MAX_LAG_MILLIS, row.expiresAt());
                }
            }
        }
        return rows;
    }

    /** Takes over what was decided elsewhere. */
    private void load() throws SQLException {
        model.clear();
        model.putAll(stored());
    }

    private void compareTables() throws SQLException {
        assertThat(sorted(stored())).isEqualTo(sorted(model));
        assertThat(usage()).isEqualTo(counted());
    }

    private static List<String> sorted(Map<RowKey, Row> rows) {
        return rows.values().stream()
                .map(ServerDecisionTests::text)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private Map<String, String> counted() {
        Map<String, List<Row>> byGroup = new LinkedHashMap<>();
        for (Row row : model.values()) {
            String namespace = Namespaces.of(row.key().group());
            if (namespace != null && quotas.of(namespace) != null) {
                byGroup.computeIfAbsent(namespace + " ", name -> new ArrayList<>())
                        .add(row);
                byGroup.computeIfAbsent(namespace + " " + row.key().group(), name -> new ArrayList<>())
                        .add(row);
            }
        }
        Map<String, String> counts = new TreeMap<>();
        byGroup.forEach((name, rows) -> {
            long groups = name.endsWith(" ")
                    ? rows.stream().map(row -> row.key().group()).distinct().count()
                    : 0;
            counts.put(
                    name,
                    rows.size() + " " + rows.stream().mapToLong(Row::bytes).sum() + " " + groups);
        });
        return counts;
    }

    private Map<String, String> usage() throws SQLException {
        Map<String, String> usage = new TreeMap<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT namespace || ' ' || grp, keys || ' ' || bytes || ' ' || groups FROM \"" + nodes.schema()
                                + "\".usage WHERE keys > 0");
                ResultSet result = query.executeQuery()) {
            while (result.next()) {
                usage.put(result.getString(1), result.getString(2));
            }
        }
        return usage;
    }
}
