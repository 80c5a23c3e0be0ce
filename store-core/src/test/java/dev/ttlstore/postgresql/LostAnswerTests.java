package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.postgresql.CommitOutcomes.CommitStatus;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a node that does not follow the log for a while learns from it about a commit whose answer was lost. */
@Tag("postgresql")
class LostAnswerTests {

    private final Nodes nodes = new Nodes();
    private final PostgreSqlEngine engine;
    private final NodeContext node;

    LostAnswerTests() {
        PostgreSqlSettings settings = new PostgreSqlSettings(TestServer.pool());
        settings.schema = nodes.schema();
        settings.notifications = false;
        settings.intervals = Nodes.neverLooking();
        engine = new PostgreSqlEngine(
                settings,
                new EngineSettings(true, Duration.ofSeconds(1), InstantSource.system()),
                TableCheck.Use.STORE);
        node = engine.node();
        engine.start(new IgnoredChanges());
    }

    @AfterEach
    void close() throws IOException {
        engine.close();
        nodes.close();
    }

    /** In its first slot it has changed nothing, and the log of the other one no longer goes back to it. */
    @Test
    @Promise({8, 11})
    void aCommitThatTheLogNoLongerTellsIsNotMadeAgain() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        RowKey first = keyOf(true);
        RowKey last = keyOf(false);
        ServerCommit commit =
                call(new Operation(first, Condition.LIVE, put("refused"), true), add(last)); // in one commit
        send(commit);
        long own = commit.own().get(1).seq();
        send(call(add(last)));
        Statements.run(
                TestServer.dataSource(),
                "DELETE FROM \"%s\".log WHERE slot = %d AND seq <= %d"
                        .formatted(nodes.schema(), node.slots().of(last.group()), own));
        assertThat(new CommitOutcomes(node.connections(), node.timeouts()).of(commit.place()))
                .isEqualTo(CommitStatus.COMMITTED);
        assertThat(commit.ask()).isFalse();
        assertThat(commit.hasOnlyRenewed()).isFalse();
    }

    @Test
    @Promise({11, 13})
    void moreCommitsOfOthersThanAreReadAtOnceAreReadOn() throws SQLException {
        RowKey key = keyOf(true);
        int slot = node.slots().of(key.group());
        Statements.run(TestServer.dataSource(), """
                INSERT INTO "@".log (slot, seq, n, at, batch, deliveries)
                SELECT l.slot, l.seq + i, 1, l.at, gen_random_uuid(), false
                  FROM (SELECT * FROM "@".log WHERE slot = %d ORDER BY seq DESC LIMIT 1) l
                 CROSS JOIN generate_series(1, %d) i
                """.replace("@", nodes.schema()).formatted(slot, LogRow.AT_ONCE));
        send(call(new Operation(key, Condition.ALWAYS, put("of another node"), false)));
        ServerCommit commit = call(new Operation(key, Condition.ALWAYS, put("own"), false));
        send(commit);
        assertThat(commit.ask()).isTrue();
        assertThat(node.cursor().unread(new OwnCommit(commit.id(), commit.own(), commit.news()), () -> {}))
                .containsExactly(slot);
    }

    /** Returns a key of the lowest or the highest slot of a few. */
    private RowKey keyOf(boolean lowest) {
        return IntStream.range(0, 9)
                .mapToObj(i -> new RowKey("group " + i, "key"))
                .sorted((one, other) -> (lowest ? 1 : -1)
                        * Integer.compare(
                                node.slots().of(one.group()), node.slots().of(other.group())))
                .findFirst()
                .orElseThrow();
    }

    private static Operation add(RowKey key) {
        return new Operation(key, Condition.ALWAYS, Effect.add(1, ExpiryRule.NEVER), true);
    }

    private static Effect put(String value) {
        return Effect.put(value.getBytes(StandardCharsets.UTF_8), ExpiryRule.NEVER);
    }

    private ServerCommit call(Operation... operations) {
        List<Request> requests = Stream.of(operations).map(Request::of).toList();
        Batch.Requests batch = new Batch.Requests(CommitSettings.of(List.of(), new Quotas(), engine.clock()), requests);
        return new ServerCommit(
                node, new ServerBatch(node.slots(), batch), node.clock().micros() + 60_000_000);
    }

    private void send(ServerCommit commit) throws SQLException {
        try (Connections.Borrowed connection = node.connections().borrow()) {
            commit.send(connection);
        }
        assertThat(commit.reason()).isNull();
    }
}
