package dev.ttlstore.internal.access;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.event.Watch;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.commit.DraftView;
import dev.ttlstore.internal.watch.WatchRequest;

/** Reaches rows within a transaction, for one thread and until the transaction ends. */
public final class TransactionAccess implements RowAccess {

    private final DraftView draft;
    private final StoreContext context;
    private final Thread owner = Thread.currentThread();
    private boolean ended;

    /**
     * Creates the access, for use by the calling thread.
     *
     * @param draft the transaction
     * @param context what all groups share
     */
    public TransactionAccess(DraftView draft, StoreContext context) {
        this.draft = draft;
        this.context = context.withOwnLoads();
    }

    /**
     * Ends the access: every later call throws.
     */
    public void end() {
        ended = true;
    }

    @Override
    public StoreContext context() {
        return context;
    }

    @Override
    public void requireUsable() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("A transaction must be used only by the thread that runs its work");
        }
        if (ended) {
            throw new IllegalStateException("The transaction has ended; start another one with transact(…)");
        }
    }

    @Override
    public void requireAsync() {
        requireUsable();
        throw noAsync();
    }

    @Override
    public boolean isInterrupted() {
        return false;
    }

    @Override
    public boolean hasOtherWriters() {
        return false;
    }

    @Override
    public boolean isShared() {
        return false; // it has read its rows already, or reads them without a commit
    }

    @Override
    public long now() {
        return draft.now();
    }

    @Override
    public @Nullable Row read(RowKey key) {
        return draft.read(List.of(key)).get(key);
    }

    @Override
    public @Nullable Row recent(RowKey key) {
        return read(key);
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        return draft.read(keys);
    }

    @Override
    public List<KeyValue> readGroup(String group) {
        Scan whole = new Scan(group, "", null, false, draft.now(), Integer.MAX_VALUE);
        return PageStreams.rows(this, whole)
                .map(row ->
                        new KeyValue(row.key().key(), row.storedValue().clone(), row.damaged())) // the draft keeps some
                .toList();
    }

    @Override
    public RowPage scan(Scan scan) {
        return draft.scan(scan);
    }

    @Override
    public RowPage created(AgeScan scan) {
        return draft.created(scan);
    }

    @Override
    public long count(GroupRange groups, long at) {
        return draft.count(groups, Math.max(at, draft.now()));
    }

    @Override
    public long count(Scan scan) {
        return draft.count(scan.with(Math.max(scan.now(), draft.now()), scan.limit()));
    }

    @Override
    public List<String> groups(GroupRange groups, String after, int limit) {
        return draft.groups(groups).stream()
                .filter(name -> Utf8.ORDER.compare(name, after) > 0)
                .limit(limit)
                .toList();
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        long first = Math.max(scan.from(), draft.now() + 1);
        return draft.expiries(new ExpiryScan(scan.groups(), first, scan.to(), scan.pageSize()));
    }

    @Override
    public ExpiryWalk expired(ExpiryScan scan) {
        long end = Math.min(scan.to(), draft.now() + 1);
        return draft.expiries(new ExpiryScan(scan.groups(), scan.from(), end, scan.pageSize()));
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        return draft.retained(scan);
    }

    @Override
    public @Nullable Row committed(RowKey key) {
        return draft.committed(key);
    }

    @Override
    public Answer submit(Request request) {
        return draft.apply(request);
    }

    @Override
    public void submitAsync(Request request, Reply<Answer> reply) {
        throw noAsync();
    }

    private static IllegalStateException noAsync() {
        return new IllegalStateException(
                "A transaction has no asynchronous writes; it commits as a whole when it ends");
    }

    @Override
    public void clearAsync(String group, CompletableFuture<Long> future) {
        throw noAsync();
    }

    @Override
    public Watch watch(WatchRequest request) {
        throw new IllegalStateException("A transaction cannot be watched; watch the store");
    }

    @Override
    public long clear(GroupRange groups) {
        return draft.clear(groups);
    }
}
