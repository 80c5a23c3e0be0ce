package dev.ttlstore.engine.commit;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.EngineStats.Sizes;
import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.FakeDeliveries;
import dev.ttlstore.exception.StoreClosedException;

/**
 * An engine whose rows are in a map, alone or with others that share a {@link FakeDatabase}. A test can look at its commits, hold
 * them up and fail them.
 */
public final class FakeEngine implements Engine {

    /** Called before a commit, with what it would do. */
    @FunctionalInterface
    public interface Commit {

        /** Lets the commit be, or throws. */
        void check(FakeTransaction transaction);
    }

    private final FakeDatabase database;
    private final boolean exclusive;
    private final int commitsInFlight;
    private final Reads reads;
    private RemoteChanges remote = new IgnoredChanges();
    private Commit onCommit = transaction -> {};
    private Runnable afterRead = () -> {};
    private Runnable afterCommit = () -> {};
    private final Deliveries deliveries;
    private final AtomicInteger settled = new AtomicInteger();
    private final AtomicInteger commits = new AtomicInteger();
    private volatile ToIntFunction<Request> part = request -> ANY_PART;
    private volatile boolean conflicted;
    private volatile boolean closed;

    /** Creates an engine with a database of its own, whose time is that of a source. */
    public FakeEngine(InstantSource clock) {
        this(new FakeDatabase(clock, Integer.MAX_VALUE), true, 1);
    }

    /** Creates a node of a database that others use as well. */
    public FakeEngine(FakeDatabase database) {
        this(database, 1);
    }

    /** Creates a node of a database that others use as well, with several commits at the same time. */
    public FakeEngine(FakeDatabase database, int commitsInFlight) {
        this(database, false, commitsInFlight);
    }

    private FakeEngine(FakeDatabase database, boolean exclusive, int commitsInFlight) {
        this.database = database;
        this.exclusive = exclusive;
        this.commitsInFlight = commitsInFlight;
        this.reads = database.reads(this, () -> takeAfterRead().run());
        this.deliveries = exclusive ? new FakeDeliveries(database::deliveries) : new FakeNodeDeliveries(database, this);
        database.join(this);
    }

    public void put(Row row) {
        database.change(new RowChange(null, row));
    }

    /** Divides the data into parts. */
    public void divide(ToIntFunction<Request> parts) {
        this.part = parts;
    }

    @Override
    public int part(Request request) {
        return part.applyAsInt(request);
    }

    public void remove(RowKey key) {
        database.change(new RowChange(Rows.permanent(key), null));
    }

    public synchronized void onCommit(Commit check) {
        this.onCommit = check;
    }

    private synchronized Commit commitCheck() {
        return onCommit;
    }

    /** Runs after each commit, and may throw as an engine does that has lost its connection. */
    public synchronized void afterCommit(Runnable event) {
        this.afterCommit = event;
    }

    private synchronized Runnable afterCommit() {
        return afterCommit;
    }

    /** Commits as another owner of the same data does: a row, with versions of its own. */
    public void putByAnother(Row row) {
        put(row);
        database.skipTo(row.version());
    }

    /** Has something happen between the next read of a row and its answer. */
    public synchronized void afterNextRead(Runnable event) {
        this.afterRead = event;
    }

    private synchronized Runnable takeAfterRead() {
        Runnable event = afterRead;
        afterRead = () -> {};
        return event;
    }

    public Map<RowKey, Row> rows() {
        return Map.copyOf(database.state().rows());
    }

    public List<Row> retained() {
        return List.copyOf(database.state().retained());
    }

    public int settled() {
        return settled.get();
    }

    /** How many rows purges have listed, and not just counted. */
    public int listed() {
        return database.listed();
    }

    public int commits() {
        return commits.get();
    }

    public synchronized RemoteChanges remote() {
        return remote;
    }

    /** Stops this node without a word to anybody: its calls fail from now on, and its claims stay until they end. */
    public void kill() {
        closed = true;
        database.leave(this);
    }

    /** Loses the reports to this node until {@link #reconnect}. */
    public void disconnect() {
        database.leave(this);
    }

    /** Hears of commits again, and that some are missing. */
    public void reconnect(long lostFrom) {
        database.join(this);
        remote().lost(lostFrom);
    }

    public boolean isClosed() {
        return closed;
    }

    public void requireOpen() {
        if (closed) {
            throw new StoreClosedException();
        }
    }

    @Override
    public void apply(Batch batch, CommitObserver observer) {
        requireOpen();
        boolean locked = conflicted;
        if (locked) {
            database.lock();
        }
        boolean done = false;
        try {
            FakeTransaction transaction = new FakeTransaction(database);
            Committed committed = new RowBatch(batch, observer).run(transaction);
            commitCheck().check(transaction);
            database.commit(transaction, this, () -> {
                commits.incrementAndGet();
                afterCommit().run();
                observer.committed(committed);
            });
            done = true;
        } finally {
            conflicted = !done;
            if (locked) {
                database.unlock();
            }
        }
    }

    @Override
    public EngineSnapshot snapshot() {
        requireOpen();
        boolean locked = conflicted;
        if (locked) {
            database.lock();
        }
        FakeState state = database.state();
        return new FakeView(database, state, state) {
            @Override
            public void close() {
                if (locked) {
                    database.unlock();
                }
            }
        };
    }

    @Override
    public StoreClock clock() {
        return database.clock();
    }

    @Override
    public synchronized void start(RemoteChanges others) {
        remote = others;
    }

    @Override
    public EngineInfo info() {
        return new EngineInfo("fake", null, exclusive, commitsInFlight);
    }

    @Override
    public EngineStats stats(long now) {
        List<Row> retained = database.state().retained();
        long live = database.state().rows().values().stream()
                .filter(row -> row.isLiveAt(now))
                .count();
        Totals totals = new Totals(live, database.state().rows().size() - live, retained.size());
        return new EngineStats(totals, Sizes.NONE, null);
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public long nextDue() {
        return database.state().rows().values().stream()
                .mapToLong(Row::expiresAt)
                .min()
                .orElse(Row.NEVER);
    }

    @Override
    public boolean areDue(long now, int rows) {
        return database.state().rows().values().stream()
                        .filter(row -> !row.isLiveAt(now))
                        .limit(rows)
                        .count()
                == rows;
    }

    @Override
    public Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public void settle() {
        settled.incrementAndGet();
    }

    @Override
    public void check() {}

    @Override
    public void close() {
        closed = true;
        database.leave(this);
    }
}
