package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.EarlyClasses;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/** The engine of one node. Other nodes use the same tables. */
final class PostgreSqlEngine implements Engine {

    private static final Logger log = LoggerFactory.getLogger(PostgreSqlEngine.class);

    private static final String VERSION = "SELECT current_setting('server_version')";

    /** Reads from the tables that hold the data, none of whose rows it finds. */
    private static final String PROBE_READING = """
            SELECT 1
              FROM @entry e, @log l, @usage u
             WHERE e.slot = 0 AND e.grp = '' AND e.key = '' AND l.slot = 0 AND l.seq = -1 AND u.slot = 0 AND u.namespace = ''
            """;

    /** Is rolled back. */
    private static final String PROBE = "INSERT INTO @lease (slot, role, node, until) VALUES (0, ?, ?, 0)";

    private final NodeContext node;

    private final ServerFunction function;
    private final ServerStatistics statistics;
    private final RowQueries queries;
    private final JudgedReads reads;
    private final ExpiryIndex expiryIndex;
    private final SlotDeliveries deliveries;
    private final CommitRunner writes;
    private final Coordination nodes;
    private final @Nullable JoinableTransactions outer;
    private final String version;
    private final int commits;

    private final AtomicBoolean closed = new AtomicBoolean();

    PostgreSqlEngine(PostgreSqlSettings settings, EngineSettings common, TableCheck.Use use) {
        EarlyClasses.initialize(PostgreSqlEngine.class);
        String schema = settings.schema;
        this.commits = settings.commits;
        Sql sql = new Sql(schema, common.clock());
        Connections connections = new Connections(settings.source, sql, settings.timeouts);
        this.function = new ServerFunction(schema);
        Slots slots = new Schema(schema, connections, function, settings.distribute)
                .open(use, settings.initialize, !common.ageIndexes().isEmpty());
        ServerClock clock = new ServerClock(sql.isServerTime() ? null : common.clock());
        this.node = new NodeContext(
                UUID.randomUUID(),
                connections,
                slots,
                settings.timeouts,
                clock,
                new LogCursor(slots),
                new CrowdedSlots(),
                new Timelines(connections, settings.timeouts, slots),
                new FinalTimes(connections, settings.timeouts, slots));

        this.statistics = new ServerStatistics(node, schema);
        this.queries = new RowQueries(connections, slots);
        this.expiryIndex = new ExpiryIndex(connections, slots);
        this.reads = new JudgedReads(node, queries);
        this.deliveries = new SlotDeliveries(node);
        this.nodes = new Coordination(node, settings);

        this.writes = new CommitRunner(node, function, settings.decisionNanos, nodes::committed);
        ApplicationTransactions transactions = settings.transactions;
        this.outer = transactions == null ? null : new TransactionJoiner(node, transactions, nodes);
        List<String> found = new ArrayList<>();
        connections.run(ServerStatistics.lookAtDefaults(
                connections.script().query(VERSION, row -> found.add(row.getString(1)))));
        this.version = found.get(0);
        Collection<LogHead> heads = nodes.follower().heads(); // tells the time
        if (use != TableCheck.Use.SOURCE) {
            nodes.follower().leaps().find(heads);
            settleTimelines();
        }
    }

    /** Looks at the server now, rather than with the first write. */
    private void settleTimelines() {
        try {
            node.timelines().settle();
        } catch (StoreException | ConflictException e) {
            log.debug("Somebody holds a slot, so the first write looks at the timeline of the server", e);
        }
    }

    /** What all commits and reads share, for a copy. */
    NodeContext node() {
        return node;
    }

    /** What runs the commits. */
    CommitRunner writes() {
        return writes;
    }

    /** What knows of the other nodes. */
    Coordination nodes() {
        return nodes;
    }

    @Override
    public EngineInfo info() {
        return new EngineInfo("PostgreSQL " + version, null, false, commits);
    }

    @Override
    public StoreClock clock() {
        return node.clock();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public long latestNow() {
        return node.clock().latestNow();
    }

    @Override
    public boolean hasFollowed(Row row) {
        LogPlace place = node.cursor().place(node.slots().of(row.key().group()));
        return place != null && node.slots().seq(row.version()) <= place.seq();
    }

    @Override
    public EngineSnapshot snapshot() {
        return writes.snapshot();
    }

    @Override
    public Optional<JoinableTransactions> joinableTransactions() {
        return Optional.ofNullable(outer);
    }

    @Override
    public int worthwhileCommits() {
        return node.isDistributed()
                ? commits // its servers work at the same time
                : node.connections().times().worthwhile();
    }

    /** On distributed tables, the server of a slot makes its commits by itself. */
    @Override
    public int part(Request request) {
        return node.isDistributed() ? node.slots().of(request) : ANY_PART;
    }

    @Override
    public void apply(Batch batch, CommitObserver observer) {
        writes.apply(batch, observer);
        nodes.follower().leaps().keepIfNew(); // so that other nodes know it if this one is killed
    }

    @Override
    public void start(RemoteChanges others) {
        node.cursor().start(nodes.follower().heads(), others);
        nodes.start();
    }

    @Override
    public EngineStats stats(long now) {
        return new EngineStats(
                queries.totals(Math.max(now, reads.settle(node.slots().all()))),
                statistics.sizes(),
                statistics.state(nodes, writes.lockedCommits()));
    }

    @Override
    public long nextDue() {
        return expiryIndex.nextDue();
    }

    @Override
    public boolean areDue(long now, int rows) {
        return expiryIndex.areDue(now, rows);
    }

    @Override
    public Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public VerificationReport verify(Consumer<? super VerificationProgress> listener) {
        Inspection inspection = new Inspection("The verification of the store", listener, closed::get);
        SlotVerification.run(node, inspection);
        return inspection.report();
    }

    @Override
    public void settle() {
        node.connections().requireOpen(); // the server does its own background work
    }

    @Override
    public void check() {
        nodes.ensureRunning();
        try (Connections.Borrowed connection = node.connections().borrow()) {
            connection.inTransaction(true);
            connection.run(node.timeouts()
                    .begin(node.connections().script())
                    .query(PROBE_READING, row -> {})
                    .add(PROBE, "probe " + UUID.randomUUID(), node.id())
                    .add("ROLLBACK"));
            connection.inTransaction(false);
            function.require(connection.connection(), node.isDistributed());
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            nodes.leave();
        }
    }

    @Override
    public void close(Duration timeout) {
        if (closed.compareAndSet(false, true)) {
            nodes.leaveWithin(timeout);
        }
    }
}
