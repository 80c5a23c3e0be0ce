package dev.ttlstore.engine.tree;

import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.engine.support.FakeDeliveries;
import dev.ttlstore.engine.support.SteadyClock;
import dev.ttlstore.exception.StoreClosedException;

/** An engine that keeps its rows in a tree until it is closed. docs/writing-an-engine.md explains it. */
public final class TreeEngine implements Engine {

    private final StoreClock clock;
    private final AtomicLong sequence = new AtomicLong();
    private volatile TreeState state = TreeState.empty();
    private volatile boolean closed;
    private final Deliveries deliveries = new FakeDeliveries(() -> state().deliveries());

    public TreeEngine(EngineSettings settings) {
        this.clock = new SteadyClock(settings.clock(), 0);
    }

    private TreeState state() {
        if (closed) {
            throw new StoreClosedException();
        }
        return state;
    }

    @Override
    public void apply(Batch batch, CommitObserver observer) {
        TreeCommit commit = new TreeCommit(clock, group -> sequence.incrementAndGet(), state().copy());
        Committed committed = new RowBatch(batch, observer).run(commit);
        state = commit.state();
        observer.committed(committed);
    }

    @Override
    public EngineSnapshot snapshot() {
        return new TreeCommit(clock, group -> sequence.incrementAndGet(), state());
    }

    @Override
    public Reads reads() {
        return new TreeReads(this::state, clock);
    }

    @Override
    public StoreClock clock() {
        return clock;
    }

    @Override
    public EngineInfo info() {
        return EngineInfo.exclusive("tree", null);
    }

    @Override
    public EngineStats stats(long now) {
        return state().stats(now);
    }

    @Override
    public Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public void check() {
        TreeState unused = state();
    }

    @Override
    public void close() {
        closed = true;
    }
}
