package dev.ttlstore.engine.commit;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.FakeDeliveryTable;
import dev.ttlstore.engine.support.SteadyClock;

/**
 * A database of rows in a map, for one engine or for several. It commits optimistically: a commit whose reads have changed
 * meanwhile is a conflict, and a node that has met one holds the lock next time.
 */
public final class FakeDatabase {

    private final StoreClock clock;
    private final int pageRows;
    private final UnaryOperator<Row> handOut;

    /** The counters of the orders: one, or several whose numbers interleave. Each order has its counter by its hash. */
    private final AtomicLong[] counters;

    private final ReentrantLock lock = new ReentrantLock();

    /** Lets no reader see something expired while a commit has checked that it renews it in time, and is not visible yet. */
    private final Object moment = new Object();

    private final List<FakeEngine> nodes = new CopyOnWriteArrayList<>();
    private final Map<String, Long> lastNumber = new HashMap<>();
    private final Map<Long, Claim> claims = new HashMap<>();
    private final Map<String, Long> seen = new ConcurrentHashMap<>();
    private final AtomicInteger listed = new AtomicInteger();
    private volatile FakeState state = FakeState.empty();

    private record Claim(FakeEngine node, String subscriber, long until) {}

    /**
     * Creates an empty database for whole stores, whose time is that of a source. Its numbers rise per group and namespace, with gaps;
     * it hands out copies of its rows.
     */
    public FakeDatabase(InstantSource source) {
        this(source, Integer.MAX_VALUE, 4, FakeDatabase::copy);
        for (int i = 0; i < counters.length; i++) {
            counters[i].set((i * 3 + 2) % 4 * 1_000_000_000L + 17); // in no order, and far from each other
        }
    }

    /** Creates an empty database whose numbers rise by one; it hands out its own rows, and no page of a scan has more than some. */
    public FakeDatabase(InstantSource source, int pageRows) {
        this(source, pageRows, 1, UnaryOperator.identity());
    }

    private FakeDatabase(InstantSource source, int pageRows, int counters, UnaryOperator<Row> handOut) {
        this.counters = new AtomicLong[counters];
        Arrays.setAll(this.counters, i -> new AtomicLong());
        this.clock = new SteadyClock(source, 0);
        this.pageRows = pageRows;
        this.handOut = handOut;
    }

    /** A database returns another array each time, with which a codec may do what it likes. */
    private static Row copy(Row row) {
        return new Row(
                row.key(),
                row.storedValue().clone(),
                row.version(),
                row.createdAt(),
                row.updatedAt(),
                row.expiresAt(),
                row.damaged());
    }

    /** Reads a state, by the times that it is asked for. */
    public FakeReads reads(FakeState of) {
        return reads(at -> new FakeReads.Moment(of.data(), at), () -> {});
    }

    private FakeReads reads(FakeReads.Sight sight, Runnable afterGet) {
        return new FakeReads(sight, clock, pageRows, handOut, afterGet);
    }

    /** Reads what is committed, for a node: by the database's time, unless nobody else writes. */
    public FakeReads reads(FakeEngine node, Runnable afterGet) {
        return reads(
                at -> {
                    node.requireOpen();
                    boolean isTime = node.info().exclusive() || at == Reads.ALL;
                    long time = isTime ? at : Math.max(at, clock.now());
                    FakeState seen = isTime ? state : settled(time);
                    return new FakeReads.Moment(seen.data(), time);
                },
                afterGet);
    }

    /** Returns a state in which nothing that has expired by a time will be renewed any more. */
    private FakeState settled(long time) {
        FakeState seen = state;
        if (seen.rows().values().stream().allMatch(row -> row.isLiveAt(time))) {
            return seen;
        }
        synchronized (moment) {
            return state;
        }
    }

    public StoreClock clock() {
        return clock;
    }

    /** Counts rows that a purge has listed. */
    public void listed(int rows) {
        listed.addAndGet(rows);
    }

    public int listed() {
        return listed.get();
    }

    public FakeState state() {
        return state;
    }

    /** Hands out a number that no other call gets, higher than all earlier ones of the group and of its namespace. */
    public long nextSequence(String group) {
        String namespace = Namespaces.of(group);
        int slot = Math.floorMod((namespace == null ? group : namespace).hashCode(), counters.length);
        long next = counters[slot].addAndGet(counters.length == 1 ? 1 : 3);
        return next * counters.length + slot;
    }

    /** Has all later numbers come after one. */
    public void skipTo(long number) {
        for (AtomicLong counter : counters) {
            counter.accumulateAndGet(number / counters.length, Math::max);
        }
    }

    /** Adds a node, which hears of the commits of all others. */
    public void join(FakeEngine node) {
        nodes.add(node);
    }

    /** Removes a node. */
    public void leave(FakeEngine node) {
        nodes.remove(node);
    }

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    /** Puts or removes a row beside all engines, as a test that sets the scene. */
    public void change(RowChange change) {
        lock.lock();
        try {
            FakeState next = state.next();
            next.apply(List.of(change));
            state = next;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Claims what is due for a node: what nobody else has claimed, or whose claim has ended.
     *
     * @return the deliveries that the node has now
     */
    public List<Delivery> claim(FakeEngine node, String subscriber, long until, int limit) {
        lock.lock();
        try {
            long now = clock.now();
            List<Delivery> free = state.deliveries().due(subscriber, now, Integer.MAX_VALUE).stream()
                    .filter(delivery -> isFree(claims.get(delivery.id()), node, now))
                    .limit(limit)
                    .toList();
            free.forEach(delivery -> claims.put(delivery.id(), new Claim(node, subscriber, until)));
            seen.merge(subscriber, now, Math::max);
            return free;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isFree(@Nullable Claim claim, FakeEngine node, long now) {
        return claim == null || claim.node() == node || claim.until() <= now;
    }

    /** Extends the claims of a node, or ends them. */
    public void extend(FakeEngine node, String subscriber, long now, long until) {
        lock.lock();
        try {
            claims.replaceAll(
                    (id, claim) -> claim.node() == node && claim.subscriber().equals(subscriber)
                            ? new Claim(node, subscriber, until)
                            : claim);
            seen.merge(subscriber, now, Math::max);
        } finally {
            lock.unlock();
        }
    }

    /** When a node was last seen at work for a subscriber; null if none was. */
    @Nullable
    public Long lastSeen(String subscriber) {
        return seen.get(subscriber);
    }

    /** Shows the subscribers and deliveries of a moment. */
    public FakeDeliveryTable deliveries() {
        return state.deliveries();
    }

    /** Commits a transaction and tells the other nodes; then its own node, in the same order for all. */
    public void commit(FakeTransaction transaction, FakeEngine by, Runnable committed) {
        lock.lock();
        try {
            FakeState now = state;
            transaction.requireUnchanged(now);
            requireInOrder(transaction);
            synchronized (moment) {
                requireInTime(transaction);
                state = transaction.result(now);
            }
            nodes.stream()
                    .filter(node -> node != by)
                    .map(FakeEngine::remote)
                    .forEach(remote -> tell(remote, transaction));
            committed.run();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses numbers that were handed out before a later commit to the same group or namespace took higher ones. */
    private void requireInOrder(FakeTransaction transaction) {
        transaction.numbers().forEach((group, number) -> {
            for (String order : orders(group)) {
                if (number <= lastNumber.getOrDefault(order, 0L)) {
                    throw new ConflictException("Another commit has taken a later number");
                }
            }
        });
        for (Change change : transaction.logged()) {
            orders(change.group()).forEach(order -> lastNumber.put(order, change.sequence()));
        }
    }

    /** The group, and its namespace if it has one. */
    private static List<String> orders(String group) {
        String namespace = Namespaces.of(group);
        return namespace == null ? List.of(group) : List.of(group, Namespaces.prefix(namespace));
    }

    /** Refuses to renew what has expired since the decision: another node may have seen it expire. */
    private void requireInTime(FakeTransaction transaction) {
        long now = clock.now();
        for (RowChange change : transaction.stored()) {
            Row before = change.before();
            if (before != null
                    && change.after() != null
                    && before.isLiveAt(transaction.decidedAt())
                    && !before.isLiveAt(now)) {
                throw new ConflictException("A row has expired since it was read");
            }
        }
    }

    private static void tell(RemoteChanges remote, FakeTransaction transaction) {
        List<Change> log = transaction.logged();
        if (!log.isEmpty()) {
            remote.changed(log);
        }
        long due = transaction.stored().stream()
                .map(RowChange::after)
                .filter(after -> after != null)
                .mapToLong(Row::expiresAt)
                .min()
                .orElse(Row.NEVER);
        if (due != Row.NEVER || transaction.hasRecorded()) {
            remote.wake(due, transaction.hasRecorded());
        }
    }
}
