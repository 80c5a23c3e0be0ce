package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.PurgeOptions;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;

/**
 * A commit in progress: the rows that its mutations name, and what the mutations have decided about them. A mutation
 * that throws is undone. The draft judges all expiry on the write path by one time for the whole commit. Used by one
 * thread.
 */
public final class Draft {

    private final Settings settings;
    private final EngineReads reads;
    private final long now;
    private final Map<RowKey, Slot> slots = new HashMap<>();
    private final Renewals renewals;
    private final List<Undo> undos = new ArrayList<>();
    private final List<Row> expired = new ArrayList<>();
    private final QuotaCheck quotaCheck;

    private final EventLog log;

    private final SavedState saved;
    private Runnable whenCommitted = () -> {};
    private long earliestExpiry = Row.NEVER;

    /**
     * The input of a commit.
     *
     * @param clock the store's time
     * @param sequence the last sequence number that was used
     * @param state the state that the engine holds
     * @param retaining whether expired rows are retained when they are removed
     * @param subscribers get a delivery for each expired row of their groups that is removed
     * @param ledger the usage of namespaces
     * @param reserve sets versions aside before the commit is stored
     * @param cache cached rows; while the writer's lock is held, they are those of the last commit
     */
    record Settings(
            StoreClock clock,
            long sequence,
            StoreState state,
            boolean retaining,
            List<Subscriber> subscribers,
            UsageLedger ledger,
            SavedState.Reserve reserve,
            RowCache cache) {}

    /**
     * Starts a commit, and loads the rows that its mutations name.
     *
     * @param settings the input of the commit
     * @param reads reads rows
     * @param keys the rows that the mutations are known to name
     */
    Draft(Settings settings, EngineReads reads, Collection<RowKey> keys) {
        this.settings = settings;
        this.reads = reads;
        this.saved = new SavedState(settings.state(), settings.reserve());
        this.quotaCheck = new QuotaCheck(this, settings.ledger());
        load(keys);
        // Read after the load, so that the time between reading a row and judging it is short.
        this.now = settings.clock().now();
        this.renewals = new Renewals(slots, now);
        this.log = new EventLog(now, settings.sequence());
    }

    /**
     * Returns the time of the commit.
     *
     * @return milliseconds since the epoch
     */
    public long now() {
        return now;
    }

    /**
     * Returns the live entry under a key. An expired row in its place is removed, and its expiry is published.
     *
     * @param key the row
     * @return the row as earlier mutations of this commit left it; null if there is no live one
     */
    public @Nullable Row live(RowKey key) {
        Slot slot = slot(key);
        Row row = slot.current();
        if (row == null || row.isLiveAt(now)) {
            return row;
        }
        change(slot, null, Expiry.NEVER);
        if (settings.retaining() || !settings.subscribers().isEmpty()) {
            expired.add(row);
        }
        log.expired(key, row.version(), row.expiresAt());
        return null;
    }

    /**
     * Puts a value under a key.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry the expiry; a ttl counts from the moment at which the commit is stored
     * @return the new version
     */
    public long put(RowKey key, byte[] value, Expiry expiry) {
        Row live = live(key);
        long version = log.nextVersion();
        long createdAt = live == null ? now : live.createdAt();
        Row row = new Row(key, value, version, createdAt, now, expiry.from(now));
        change(slot(key), row, expiry);
        log.put(row, live == null);
        saved.reserve(version);
        return version;
    }

    /**
     * Returns the expiry of a live entry. If this commit has set it to a ttl, it still counts from the moment at
     * which the commit is stored.
     *
     * @param live the row, as {@link #live} returned it
     * @return its expiry
     */
    Expiry expiryOf(Row live) {
        Slot slot = slot(live.key());
        return slot.isChanged() ? slot.expiry() : now -> live.expiresAt();
    }

    /**
     * Removes a live entry.
     *
     * @param live the row, as {@link #live} returned it
     */
    public void delete(Row live) {
        remove(live);
        log.deleted(live);
    }

    /**
     * Changes the expiry of a live entry.
     *
     * @param live the row, as {@link #live} returned it
     * @param expiry the expiry; a ttl counts from the moment at which the commit is stored
     */
    public void reschedule(Row live, Expiry expiry) {
        change(slot(live.key()), live.withExpiry(expiry.from(now)), expiry);
    }

    /** Removes a live entry without an event. */
    void remove(Row live) {
        change(slot(live.key()), null, Expiry.NEVER);
    }

    /** Adds rows that were read elsewhere, except those that the commit has loaded already. */
    void adopt(Collection<Row> rows) {
        for (Row row : rows) {
            slots.putIfAbsent(row.key(), new Slot(row));
        }
    }

    /**
     * Loads rows in bulk, before they are needed one by one.
     *
     * @param keys the rows
     */
    public void load(Collection<RowKey> keys) {
        if (keys.size() == 1) {
            keys.forEach(this::slot);
            return;
        }
        List<RowKey> missing = new ArrayList<>();
        for (RowKey key : keys) {
            if (!slots.containsKey(key)) {
                Row cached = cache().peek(key);
                if (cached == null) {
                    missing.add(key);
                } else {
                    slots.put(key, new Slot(cached));
                }
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        Map<RowKey, Row> loaded = reads.read(missing);
        for (RowKey key : missing) {
            slots.put(key, new Slot(loaded.get(key)));
        }
    }

    /**
     * Runs a mutation. If it throws or exceeds a quota, its changes are undone.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R apply(Mutation<R> mutation) {
        int undosBefore = undos.size();
        int eventsBefore = log.size();
        int expiredBefore = expired.size();
        boolean done = false;
        try {
            quotaCheck.begin();
            R answer = mutation.apply(this);
            quotaCheck.requireWithin();
            done = true;
            return answer;
        } finally {
            if (!done) {
                undo(undosBefore);
                log.truncate(eventsBefore);
                expired.subList(expiredBefore, expired.size()).clear();
            }
        }
    }

    /** Undoes all changes, for a commit that will not happen. */
    void undoAll() {
        undo(0);
    }

    private void undo(int size) {
        while (undos.size() > size) {
            Undo undo = undos.remove(undos.size() - 1);
            set(undo.slot, undo.row, undo.expiry);
        }
    }

    /** Stores the decisions of the mutations. */
    void store(EngineTransaction transaction) {
        new DraftWriter(this, settings).store(transaction);
    }

    /** Returns the entries that the draft keeps alive. */
    Renewals renewals() {
        return renewals;
    }

    /** Returns how far the engine has set aside sequence numbers and time. */
    SavedState saved() {
        return saved;
    }

    /** Returns the rows that this commit has found expired and must keep. */
    List<Row> expired() {
        return expired;
    }

    /** Returns the events to publish after the commit. */
    EventLog log() {
        return log;
    }

    /** Registers work to run under the writer's lock after the commit. It does not run if the commit fails. */
    void whenCommitted(Runnable work) {
        whenCommitted = work;
    }

    void committed() {
        whenCommitted.run();
    }

    /** Returns what is kept of expired rows. */
    PurgeOptions purgeOptions() {
        return new PurgeOptions(settings.retaining(), settings.subscribers());
    }

    /** Returns a time before which no row that was put or rescheduled expires. */
    long earliestExpiry() {
        return earliestExpiry;
    }

    EngineReads reads() {
        return reads;
    }

    RowCache cache() {
        return settings.cache();
    }

    UsageLedger ledger() {
        return settings.ledger();
    }

    Map<RowKey, Slot> rows() {
        return slots;
    }

    /** Returns the rows that the commit has loaded so far. */
    Collection<Slot> slots() {
        return slots.values();
    }

    /** Returns some of the rows, and loads them if needed. */
    List<Slot> slots(Collection<RowKey> keys) {
        List<Slot> found = new ArrayList<>();
        for (RowKey key : keys) {
            found.add(slot(key));
        }
        return found;
    }

    boolean isLoaded(RowKey key) {
        return slots.containsKey(key);
    }

    private Slot slot(RowKey key) {
        Slot slot = slots.get(key);
        if (slot == null) {
            Row cached = cache().peek(key);
            slot = new Slot(cached == null ? reads.read(key) : cached);
            slots.put(key, slot);
        }
        return slot;
    }

    private void change(Slot slot, @Nullable Row row, Expiry expiry) {
        undos.add(new Undo(slot, slot.current(), slot.expiry()));
        set(slot, row, expiry);
    }

    private void set(Slot slot, @Nullable Row row, Expiry expiry) {
        quotaCheck.changed(slot.current(), row);
        slot.set(row, expiry);
        if (row != null) {
            earliestExpiry = Math.min(earliestExpiry, row.expiresAt());
        }
    }

    private record Undo(Slot slot, @Nullable Row row, Expiry expiry) {}
}
