package dev.ttlstore.engine.commit;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.FakeDeliveryTable;
import dev.ttlstore.engine.support.HandlersSeen;
import dev.ttlstore.engine.support.SteadyClock;
import dev.ttlstore.engine.tree.TreeReads;
import dev.ttlstore.engine.tree.TreeState;

/**
 * A database of rows in a map, for one engine or for several. It commits optimistically: a commit whose reads have changed
 * meanwhile is a conflict, and a node that has met one holds the lock next time.
 */
public final class FakeDatabase {

    private final StoreClock clock;
    private final int pageRows;

    /** The counters of the orders: one, or several whose numbers interleave. Each order has its counter by its hash. */
    private final List<AtomicLong> counters;

    private final ReentrantLock lock = new ReentrantLock();

    /** Lets no reader see something expired while a commit has checked that it renews it in time, and is not visible yet. */
    private final Object moment = new Object();

    private final List<FakeEngine> nodes = new CopyOnWriteArrayList<>();
    private final Map<String, Long> lastNumber = new HashMap<>();
    private final Map<Long, FakeNodeDeliveries.Claim> claims = new HashMap<>();
    private final HandlersSeen handlers = new HandlersSeen();
    private TreeState state = TreeState.empty();

    /**
     * Creates an empty database for whole stores, whose time is that of a source. Its numbers rise per group and namespace, with gaps,
     * and those of several groups are in no order, and far from each other.
     */
    public FakeDatabase(InstantSource source) {
        this(source, Integer.MAX_VALUE, 2_000_000_017, 1_000_000_017, 17, 3_000_000_017L);
    }

    /** Creates an empty database whose numbers rise by one; no page of a scan has more than some rows. */
    public FakeDatabase(InstantSource source, int pageRows) {
        this(source, pageRows, 0);
    }

    private FakeDatabase(InstantSource source, int pageRows, long... counters) {
        this.clock = new SteadyClock(source, 0);
        this.pageRows = pageRows;
        this.counters = LongStream.of(counters).mapToObj(AtomicLong::new).toList();
    }

    Reads reads(Supplier<TreeState> of, LongUnaryOperator time, Runnable afterGet) {
        return new FakeReads(new TreeReads(of, clock), time, pageRows, afterGet);
    }

    Deliveries deliveries(Supplier<FakeDeliveryTable> table) {
        return new FakeNodeDeliveries(table, handlers, claims);
    }

    public StoreClock clock() {
        return clock;
    }

    /** Returns a state in which nothing that has expired by now will be renewed any more. */
    TreeState state() {
        synchronized (moment) {
            return state;
        }
    }

    /** Names the order that a group's numbers are in: that of its namespace if it has one. */
    static String order(String group) {
        return Objects.requireNonNullElse(Namespaces.of(group), group);
    }

    /** Hands out a number that no other call gets, higher than all earlier ones of the order. */
    long nextSequence(String group) {
        int slot = Math.floorMod(order(group).hashCode(), counters.size());
        return counters.get(slot).incrementAndGet() * counters.size() + slot;
    }

    /** Has all later numbers come after one. */
    public void skipTo(long number) {
        counters.forEach(counter -> counter.accumulateAndGet(number / counters.size(), Math::max));
    }

    /** Adds a node, which hears of the commits of all others. */
    void join(FakeEngine node) {
        nodes.add(node);
    }

    void leave(FakeEngine node) {
        nodes.remove(node);
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Puts or removes a row beside all engines, as a test that sets the scene. */
    void change(RowChange change) {
        synchronized (moment) {
            state = state.copy().change(List.of(change));
        }
    }

    /** Commits a transaction and tells the other nodes; then its own node, in the same order for all. */
    void commit(FakeTransaction transaction, FakeEngine by, Runnable committed) {
        lock.lock();
        try {
            synchronized (moment) {
                transaction.requireUnchanged(state, lastNumber);
                if (transaction.written().isOvertaken(clock.now())) { // another node may have seen it expire
                    throw new ConflictException("A row has expired since it was read");
                }
                state = transaction.result(state);
            }
            List<Change> logged = transaction.written().logged();
            logged.forEach(change -> lastNumber.merge(order(change.group()), change.sequence(), Math::max));
            nodes.stream()
                    .filter(node -> node != by)
                    .map(FakeEngine::remote)
                    .forEach(remote -> tell(remote, logged, transaction));
            committed.run();
        } finally {
            lock.unlock();
        }
    }

    private static void tell(RemoteChanges remote, List<Change> logged, FakeTransaction transaction) {
        if (!logged.isEmpty()) {
            remote.changed(logged);
        }
        long due = transaction.written().earliestExpiry();
        if (due != Row.NEVER || transaction.hasRecorded()) {
            remote.wake(due, transaction.hasRecorded());
        }
    }
}
