package dev.ttlstore.engine.commit;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.ToIntFunction;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.tree.TreeState;
import dev.ttlstore.exception.StoreClosedException;

/**
 * An engine whose rows are in a map, alone or with others that share a {@link FakeDatabase}. A test can look at its commits, hold
 * them up and fail them.
 */
public final class FakeEngine implements Engine {

    private static final Runnable NOTHING = () -> {};

    private final FakeDatabase database;
    private final EngineInfo info;
    private final Reads reads;
    private final Deliveries deliveries;
    private final AtomicReference<Runnable> afterRead = new AtomicReference<>(NOTHING);
    private final AtomicInteger settled = new AtomicInteger();
    private final AtomicInteger commits = new AtomicInteger();
    private volatile RemoteChanges remote = new IgnoredChanges();
    private volatile Consumer<FakeTransaction> onCommit = transaction -> {};
    private volatile Runnable afterCommit = NOTHING;
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
        this.info = new EngineInfo("fake", null, exclusive, commitsInFlight);
        LongUnaryOperator shared =
                at -> at == Reads.ALL ? at : Math.max(at, database.clock().now());
        this.reads = database.reads(this::state, exclusive ? LongUnaryOperator.identity() : shared, () -> afterRead
                .getAndSet(NOTHING)
                .run());
        this.deliveries = database.deliveries(() -> state().deliveries());
        database.join(this);
    }

    private TreeState state() {
        requireOpen();
        return database.state();
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreClosedException();
        }
    }

    public void put(Row row) {
        database.change(new RowChange(null, row));
    }

    /** Commits as another owner of the same data does: a row, with versions of its own. */
    public void putByAnother(Row row) {
        put(row);
        database.skipTo(row.version());
    }

    public void remove(RowKey key) {
        database.change(new RowChange(Rows.permanent(key), null));
    }

    /** Divides the data into parts. */
    public void divide(ToIntFunction<Request> parts) {
        this.part = parts;
    }

    @Override
    public int part(Request request) {
        return part.applyAsInt(request);
    }

    /** Has a check look at what each commit would do; it lets the commit be, or throws. */
    public void onCommit(Consumer<FakeTransaction> check) {
        this.onCommit = check;
    }

    /** Runs after each commit, and may throw as an engine does that has lost its connection. */
    public void afterCommit(Runnable event) {
        this.afterCommit = event;
    }

    /** Has something happen between the next read of a row and its answer. */
    public void afterNextRead(Runnable event) {
        afterRead.set(event);
    }

    public Map<RowKey, Row> rows() {
        return Map.copyOf(database.state().rows());
    }

    public int settled() {
        return settled.get();
    }

    public int commits() {
        return commits.get();
    }

    RemoteChanges remote() {
        return remote;
    }

    /** Loses the reports to this node until {@link #reconnect}. */
    public void disconnect() {
        database.leave(this);
    }

    /** Hears of commits again, and that some are missing. */
    public void reconnect(long lostFrom) {
        database.join(this);
        remote.lost(lostFrom);
    }

    @Override
    public void apply(Batch batch, CommitObserver observer) {
        try (FakeView held = snapshot()) {
            FakeTransaction transaction = new FakeTransaction(database, held.state());
            if (batch instanceof Batch.Run) {
                transaction.dependOnAll(); // a command does not name what it reads and removes
            }
            Committed committed = new RowBatch(batch, observer).run(transaction);
            onCommit.accept(transaction);
            database.commit(transaction, this, () -> {
                conflicted = false;
                commits.incrementAndGet();
                afterCommit.run();
                observer.committed(committed);
            });
        } catch (ConflictException e) {
            conflicted = true;
            throw e;
        }
    }

    /** Holds the lock until the snapshot is closed, if there was a conflict. */
    @Override
    public FakeView snapshot() {
        requireOpen();
        ReentrantLock lock = conflicted ? database.lock() : new ReentrantLock();
        lock.lock();
        TreeState seen = database.state();
        return new FakeView(database, seen, seen) {
            @Override
            public void close() {
                lock.unlock();
            }
        };
    }

    @Override
    public StoreClock clock() {
        return database.clock();
    }

    @Override
    public void start(RemoteChanges others) {
        remote = others;
    }

    @Override
    public EngineInfo info() {
        return info;
    }

    @Override
    public EngineStats stats(long now) {
        return state().stats(now);
    }

    @Override
    public Reads reads() {
        return reads;
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
