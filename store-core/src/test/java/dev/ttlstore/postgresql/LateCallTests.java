package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.postgresql.CommitOutcomes.CommitStatus;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Calls of the server's functions whose outcome is looked up. */
@Tag("postgresql")
class LateCallTests {

    private static final RowKey KEY = new RowKey("group", "key");

    private final Nodes nodes = new Nodes();
    private final PostgreSqlEngine engine;
    private final NodeContext node;
    private final CommitOutcomes outcomes;

    LateCallTests() {
        PostgreSqlSettings settings = new PostgreSqlSettings(TestServer.pool());
        settings.schema = nodes.schema();
        engine = new PostgreSqlEngine(
                settings,
                new EngineSettings(true, Duration.ofSeconds(1), InstantSource.system()),
                TableCheck.Use.STORE);
        node = engine.node();
        outcomes = new CommitOutcomes(node.connections(), node.timeouts());
        engine.start(new IgnoredChanges());
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
        nodes.close();
    }

    private ServerCommit call(Condition condition, Effect effect) {
        return call(node.clock().micros() + 60_000_000, new Operation(KEY, condition, effect, true));
    }

    private ServerCommit call(long ceiling, Operation... operations) {
        return call(ceiling, Stream.of(operations).map(Request::of).toList());
    }

    private ServerCommit call(long ceiling, List<Request> requests) {
        Batch.Requests batch = new Batch.Requests(CommitSettings.of(List.of(), new Quotas(), engine.clock()), requests);
        return new ServerCommit(node, new ServerBatch(node.slots(), batch), ceiling);
    }

    private static Effect put(String value) {
        return Effect.put(value.getBytes(StandardCharsets.UTF_8), ExpiryRule.afterMillis(60_000));
    }

    private void send(ServerCommit commit) throws SQLException {
        try (Connections.Borrowed connection = node.connections().borrow()) {
            commit.send(connection);
        }
    }

    /** It would cost a reader of a held lock as much as a write. */
    @Test
    void aCallThatChangesNothingDoesNotWaitForTheDisk() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "the setting is that of the slot's server there");
        Operation refused = new Operation(KEY, Condition.LIVE, put("refused"), true);
        Operation other = new Operation(new RowKey("other", "key"), Condition.LIVE, put("refused"), true);
        Operation made = new Operation(KEY, Condition.ABSENT, put("made"), true);
        long ceiling = node.clock().micros() + 60_000_000;
        assertThat(durabilityAfter(call(ceiling, refused))).isEqualTo("off");
        assertThat(durabilityAfter(call(ceiling, refused, other))).isEqualTo("off");
        assertThat(durabilityAfter(call(ceiling, made))).isEqualTo("on");
        assertThat(durabilityAfter(call(ceiling, made, other))).isEqualTo("on");
        assertThat(durabilityAfter(call(ceiling, other, made))).isEqualTo("on");
    }

    /** The server has no statistics of a table that grows, before it analyzes it. */
    @Test
    void aCallSortsNoRowsOfTheLog() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "the tables have other names on the server of a slot there");
        Operation one = new Operation(KEY, Condition.ALWAYS, put("value"), false);
        Operation other = new Operation(new RowKey("other", "key"), Condition.ALWAYS, put("value"), false);
        send(call(node.clock().micros() + 60_000_000, one));
        for (int i = 1; i <= 8; i++) {
            Statements.run(
                    TestServer.dataSource(), """
                    INSERT INTO "@".log (slot, seq, n, at, batch, deliveries, changes)
                    SELECT l.slot, l.seq - 1000000000000 - i, 1, l.at, gen_random_uuid(), false, decode(repeat('00', 90), 'hex')
                      FROM (SELECT * FROM "@".log ORDER BY seq DESC LIMIT 1) l
                     CROSS JOIN generate_series(%d, %d) i
                    """.replace("@", nodes.schema()).formatted(500 * i, 500 * i + 499));
            assertThat(readOfTheLog(call(node.clock().micros() + 60_000_000, one)))
                    .isLessThan(1_100); // of which it returns 1,000 as news
            assertThat(readOfTheLog(call(node.clock().micros() + 60_000_000, one, other)))
                    .isLessThan(2_200);
        }
    }

    private long readOfTheLog(ServerCommit commit) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (Connections.Borrowed connection = node.connections().borrow()) {
            connection.run(node.connections().script().add("DISCARD PLANS"));
            connection.inTransaction(true);
            connection.run(node.connections().script().add("BEGIN"));
            connection.run(askOfTheLog(found));
            commit.send(connection);
            connection.run(askOfTheLog(found));
        }
        return found.get(1) - found.get(0);
    }

    private Script askOfTheLog(List<Long> found) {
        return node.connections()
                .script()
                .query(
                        "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE schemaname = ?::text AND relname = 'log'",
                        row -> found.add(row.getLong(1)),
                        nodes.schema());
    }

    private String durabilityAfter(ServerCommit commit) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connections.Borrowed connection = node.connections().borrow()) {
            connection.inTransaction(true);
            connection.run(node.connections().script().add("BEGIN"));
            commit.send(connection);
            connection.run(node.connections()
                    .script()
                    .query("SELECT current_setting('synchronous_commit')", row -> found.add(row.getString(1))));
        }
        return found.get(0);
    }

    @Test
    @Promise(8)
    void aCallThatComesAfterItsOutcomeWasLookedUpDoesNothing() throws SQLException {
        ServerCommit late = call(Condition.ALWAYS, put("late"));
        assertThat(outcomes.of(late.place())).isEqualTo(CommitStatus.NOT_COMMITTED);
        send(late);
        assertThat(late.reason()).isEqualTo(FallbackReason.LATE);
        assertThat(engine.reads().get(KEY, Reads.NOW)).isNull();
        ServerCommit next =
                call(late.largestNumber() + 60_000_000, new Operation(KEY, Condition.ALWAYS, put("next"), false));
        send(next);
        assertThat(next.reason()).isNull();
        assertThat(outcomes.of(late.place())).isEqualTo(CommitStatus.NOT_COMMITTED);
        assertThat(outcomes.of(next.place())).isEqualTo(CommitStatus.COMMITTED);
    }

    /** Whatever the answer needs is in the log, so it does not matter which row comes afterwards. */
    @Test
    @Promise({8, 10, 11})
    void theLogTellsWhatALostAnswerHasSaid() throws SQLException {
        send(call(Condition.ALWAYS, put("before")));
        for (ServerCommit commit : List.of(
                call(
                        Condition.LIVE,
                        Effect.reschedule(ExpiryRule.afterMillis(30_000))), // an earlier one, so it is logged
                call(Condition.LIVE, put("other")),
                call(Condition.value("other".getBytes(StandardCharsets.UTF_8)), Effect.DELETE),
                call(Condition.ABSENT, put("7")),
                call(Condition.ALWAYS, Effect.add(5, ExpiryRule.NEVER)))) {
            requireTheLogTellsWhatTheAnswerSays(commit);
        }
    }

    @Test
    @Promise({8, 10})
    void aCommitIsFoundThatHasChangedNothingInItsFirstSlot() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        List<RowKey> keys = keysOfSlots();
        ServerCommit commit = call(
                node.clock().micros() + 60_000_000,
                new Operation(keys.get(0), Condition.LIVE, put("other"), true),
                new Operation(keys.get(keys.size() - 1), Condition.ABSENT, put("value"), true));
        requireTheLogTellsWhatTheAnswerSays(commit);
        assertThat(engine.reads().get(keys.get(0), Reads.NOW)).isNull();
    }

    /** After a look-up, the numbers of its slot are a minute ahead of those of others. */
    @Test
    @Promise({8, 10, 11, 13})
    void theLogTellsItForSlotsWhoseNumbersAreFarApart() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        List<RowKey> keys = keysOfSlots();
        RowKey ahead = keys.get(0);
        ServerCommit never =
                call(node.clock().micros() + 60_000_000, new Operation(ahead, Condition.ALWAYS, put("never"), false));
        assertThat(outcomes.of(never.place())).isEqualTo(CommitStatus.NOT_COMMITTED);
        long number = never.place().to();
        int slot = never.place().slot();
        Awaitility.await().until(() -> requireNonNull(node.cursor().place(slot)).seq() >= number);
        Operation[] additions = keys.stream()
                .map(key -> new Operation(key, Condition.ALWAYS, Effect.add(5, ExpiryRule.NEVER), true))
                .toArray(Operation[]::new);
        for (int i = 1; i <= 2; i++) { // of what is missing, and of what is there
            requireTheLogTellsWhatTheAnswerSays(call(number + i * 60_000_000L, additions));
        }
    }

    /** Returns keys of groups in several slots, by the slot. */
    private List<RowKey> keysOfSlots() {
        return IntStream.range(0, 9)
                .mapToObj(i -> new RowKey("group " + i, "key"))
                .sorted(Comparator.comparingInt(key -> node.slots().of(key.group())))
                .toList();
    }

    /** After some look-ups, the numbers of some slots are ahead. */
    @Test
    @Promise({8, 9, 10, 11, 13})
    void theLogTellsWhatEachAnswerHasSaidForRandomBatches() throws SQLException {
        SplittableRandom random = new SplittableRandom(RandomRequests.SEED);
        Map<RowKey, Row> model = new HashMap<>();
        RandomRequests requests = new RandomRequests(random, System::currentTimeMillis, model);
        long highest = node.clock().micros();
        int compared = 0;
        for (int i = 0; i < Effort.of(node.isDistributed() ? 300 : 80, 20_000); i++) {
            ServerCommit commit = call(highest + 60_000_000, requests.next());
            boolean made = ServerBatch.whyNot(commit.requests(), Long.MAX_VALUE) == null
                    && random.nextInt(20) > 0
                    && isMade(commit);
            assertThat(outcomes.of(commit.place()))
                    .as("seed %d, batch %d", RandomRequests.SEED, i)
                    .isEqualTo(made ? CommitStatus.COMMITTED : CommitStatus.NOT_COMMITTED);
            highest = Math.max(
                    highest, made ? commit.largestNumber() : commit.place().to());
            if (made) {
                Committed told = RowBatch.afterwards(commit.requests(), commit.found());
                told.writes().rows().forEach(change -> note(model, change));
                compared += commit.ask() ? 1 : 0;
                if (!commit.hasOnlyRenewed()) {
                    requireSame(commit, told);
                }
            }
        }
        assertThat(compared).isGreaterThan(20);
    }

    /** Sends a commit and returns whether it has changed something. */
    private boolean isMade(ServerCommit commit) throws SQLException {
        if (node.isDistributed() && !ServerBatch.isSingle(commit.requests())) {
            return false; // this node would decide under locks
        }
        try {
            send(commit);
            return commit.reason() == null && !commit.own().isEmpty();
        } catch (SQLException e) {
            if (Errors.isNoText(e)) {
                return false; // this node would decide
            }
            throw e;
        }
    }

    private void requireTheLogTellsWhatTheAnswerSays(ServerCommit commit) throws SQLException {
        send(commit);
        Committed told = RowBatch.afterwards(commit.requests(), commit.found());
        assertThat(outcomes.of(commit.place())).isEqualTo(CommitStatus.COMMITTED);
        assertThat(commit.ask()).isTrue();
        requireSame(commit, told);
    }

    /** Checks that the log, which was asked, tells the same. */
    private static void requireSame(ServerCommit commit, Committed told) {
        Committed asked = RowBatch.afterwards(commit.requests(), commit.found());
        assertThat(ServerDecisionTests.texts(asked.answers())).isEqualTo(ServerDecisionTests.texts(told.answers()));
        assertThat(asked.writes().changes().toString())
                .isEqualTo(told.writes().changes().toString());
    }

    private static void note(Map<RowKey, Row> model, RowChange change) {
        Row after = change.after();
        if (after == null) {
            model.remove(change.key());
        } else {
            model.put(change.key(), after);
        }
    }
}
