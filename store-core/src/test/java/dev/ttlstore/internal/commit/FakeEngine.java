package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Sizes;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.engine.Totals;
import dev.ttlstore.exception.StoreClosedException;

/** An engine whose rows are in a map, and whose commits a test can look at, hold up and fail. */
public final class FakeEngine implements Engine {

    /** Called before a commit, with what it would do. */
    @FunctionalInterface
    public interface Commit {

        /** Lets the commit be, or throws. */
        void check(FakeTransaction transaction);
    }

    private Map<RowKey, Row> rows = new HashMap<>();
    private List<Row> retained = List.of();
    private StoreState state = new StoreState(0, 0);
    private Commit onCommit = transaction -> {};
    private Runnable afterRead = () -> {};
    private Runnable afterCommit = () -> {};
    private final AtomicInteger settled = new AtomicInteger();
    private int commits;
    private boolean closed;

    public synchronized void put(Row row) {
        rows.put(row.key(), row);
    }

    public synchronized void remove(RowKey key) {
        rows.remove(key);
    }

    public synchronized void onCommit(Commit check) {
        this.onCommit = check;
    }

    /** Runs after each commit, and may throw as an engine does that has lost its connection. */
    public synchronized void afterCommit(Runnable event) {
        this.afterCommit = event;
    }

    private synchronized Runnable afterCommit() {
        return afterCommit;
    }

    /** Commits as another owner of the same data does: a row, with versions of its own. */
    public synchronized void putByAnother(Row row) {
        rows.put(row.key(), row);
        state = new StoreState(Math.max(state.sequence(), row.version()), state.time());
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

    public synchronized Map<RowKey, Row> rows() {
        return Map.copyOf(rows);
    }

    synchronized List<Row> retained() {
        return List.copyOf(retained);
    }

    public int settled() {
        return settled.get();
    }

    public synchronized int commits() {
        return commits;
    }

    private synchronized FakeTransaction begin() {
        if (closed) {
            throw new StoreClosedException();
        }
        return new FakeTransaction(rows, retained, state, Integer.MAX_VALUE);
    }

    private synchronized EngineReads reads() {
        if (closed) {
            throw new StoreClosedException();
        }
        return new FakeReads(rows, retained, Integer.MAX_VALUE);
    }

    private synchronized Commit commitCheck() {
        return onCommit;
    }

    private synchronized void commit(FakeTransaction transaction) {
        rows = transaction.rows();
        retained = transaction.retained();
        state = transaction.state();
        commits++;
    }

    @Override
    public <R extends @Nullable Object> R write(Function<EngineTransaction, R> work) {
        FakeTransaction transaction = begin();
        R answer = work.apply(transaction);
        commitCheck().check(transaction);
        commit(transaction);
        afterCommit().run();
        return answer;
    }

    @Override
    public EngineInfo info() {
        return new EngineInfo("fake", null, true);
    }

    @Override
    public synchronized StoreState state() {
        return state;
    }

    @Override
    public Totals totals(long now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Sizes sizes() {
        return Sizes.NONE;
    }

    @Override
    public @Nullable Row read(RowKey key) {
        Row row = reads().read(key);
        takeAfterRead().run();
        return row;
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        return reads().read(keys);
    }

    @Override
    public RowPage scan(Scan scan) {
        return reads().scan(scan);
    }

    @Override
    public List<KeyValue> readGroup(String group, long now) {
        return reads().readGroup(group, now);
    }

    @Override
    public long count(String group, long now) {
        return reads().count(group, now);
    }

    @Override
    public long count(GroupRange groups, long now) {
        return reads().count(groups, now);
    }

    @Override
    public List<String> groups(GroupRange groups, String after, long now, int limit) {
        return reads().groups(groups, after, now, limit);
    }

    @Override
    public List<GroupUsage> usage(GroupRange groups) {
        return reads().usage(groups);
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        return reads().expiries(scan);
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        return reads().retained(scan);
    }

    @Override
    public synchronized long nextDue() {
        return rows.values().stream().mapToLong(Row::expiresAt).min().orElse(Row.NEVER);
    }

    @Override
    public DeliveryReads deliveries() {
        return FakeDeliveries.reads();
    }

    @Override
    public void settle() {
        settled.incrementAndGet();
    }

    @Override
    public void check() {}

    @Override
    public synchronized void close() {
        closed = true;
    }
}
