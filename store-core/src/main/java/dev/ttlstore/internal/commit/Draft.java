package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeOptions;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.UsageLedger.NamespaceUsage;

/**
 * A commit in the making: the rows that its mutations have named, what they make of them, and the events that tell it. All
 * expiry on the way of a write is judged here, by one time for the whole commit. Used by one thread.
 */
public final class Draft {

    /** Numbers are set aside in blocks, so that a commit need not save the last one each time. */
    private static final int SEQUENCE_BLOCK = 10_000;

    /** How far the saved time may lag behind, given that there are commits at all. */
    private static final long TIME_LAG_MILLIS = 1_000;

    private final Settings settings;
    private final EngineReads reads;
    private final long now;
    private final Map<RowKey, Slot> slots = new HashMap<>();
    private final List<Undo> undos = new ArrayList<>();
    private final List<Row> expired = new ArrayList<>();
    private final QuotaCheck quotaCheck;

    private final EventLog log;

    private StoreState state;
    private Runnable whenCommitted = () -> {};
    private long earliestExpiry = Row.NEVER;

    /**
     * What a commit starts from.
     *
     * @param clock the store's time
     * @param sequence the last sequence number given out
     * @param state the state that the engine holds
     * @param retaining whether expired rows are kept when they are removed
     * @param subscribers for whom expired rows are recorded when they are removed
     * @param ledger what namespaces take
     * @param reserve keeps versions from being given out again before the commit is stored
     * @param cache rows at hand; while the writer's lock is held they are as they were last committed
     */
    record Settings(
            StoreClock clock,
            long sequence,
            StoreState state,
            boolean retaining,
            List<Subscriber> subscribers,
            UsageLedger ledger,
            Reserve reserve,
            RowCache cache) {}

    /** Sets versions aside that somebody may see although their commit never is. */
    interface Reserve {

        /** For commits whose versions nobody sees before they are stored: storing them saves the state as well. */
        Reserve WITH_COMMIT = (sequence, state) -> state;

        /**
         * Sets versions aside, if need be in a commit of its own.
         *
         * @param sequence the last one
         * @param state the state that the engine holds
         * @return the state that the engine holds now
         */
        StoreState upTo(long sequence, StoreState state);
    }

    /**
     * Begins a commit.
     *
     * @param settings what it starts from
     * @param reads where rows are found
     * @param keys the rows that its mutations are known to name
     */
    Draft(Settings settings, EngineReads reads, Collection<RowKey> keys) {
        this.settings = settings;
        this.reads = reads;
        this.state = settings.state();
        this.quotaCheck = new QuotaCheck(this, settings.ledger());
        load(keys);
        // After the load, so that the time between reading a row and judging it is short.
        this.now = settings.clock().now();
        this.log = new EventLog(now, settings.sequence());
    }

    /**
     * The time of the commit.
     *
     * @return milliseconds since the epoch
     */
    public long now() {
        return now;
    }

    /**
     * The live entry under a key. An expired row found in its place is removed, and its expiry told.
     *
     * @param key the row
     * @return the row as earlier mutations of this commit left it, or null
     */
    public @Nullable Row live(RowKey key) {
        Slot slot = slot(key);
        Row row = slot.current;
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
     * @param expiry when it shall expire; a ttl counts from the moment at which the commit is stored
     * @return the new version
     */
    public long put(RowKey key, byte[] value, Expiry expiry) {
        Row live = live(key);
        long version = log.nextVersion();
        long createdAt = live == null ? now : live.createdAt();
        Row row = new Row(key, value, version, createdAt, now, expiry.from(now));
        change(slot(key), row, expiry);
        log.put(row, live == null);
        if (version > state.sequence()) {
            state = settings.reserve().upTo(version + SEQUENCE_BLOCK, state);
        }
        return version;
    }

    /**
     * The expiry that a live entry has already. One that this commit has given it still counts from when the commit is stored.
     *
     * @param live the row, as {@link #live} answered it
     * @return its expiry
     */
    Expiry expiryOf(Row live) {
        Slot slot = slot(live.key());
        return slot.isChanged() ? slot.expiry : now -> live.expiresAt();
    }

    /**
     * Removes a live entry.
     *
     * @param live the row, as {@link #live} answered it
     */
    public void delete(Row live) {
        remove(live);
        log.deleted(live);
    }

    /**
     * Gives a live entry another expiry.
     *
     * @param live the row, as {@link #live} answered it
     * @param expiry when it shall expire; a ttl counts from the moment at which the commit is stored
     */
    public void reschedule(Row live, Expiry expiry) {
        change(slot(live.key()), live.withExpiry(expiry.from(now)), expiry);
    }

    /** Removes a live entry without a word. */
    void remove(Row live) {
        change(slot(live.key()), null, Expiry.NEVER);
    }

    /** Has rows that were read elsewhere take part in the commit, as they stand. */
    void adopt(Collection<Row> rows) {
        for (Row row : rows) {
            slots.putIfAbsent(row.key(), new Slot(row));
        }
    }

    /**
     * Loads rows before they are asked for one by one.
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
     * Runs a mutation; when it throws, or goes beyond a quota, all that it has done here is undone.
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

    /** Undoes everything, for a commit that is not to be. */
    void undoAll() {
        undo(0);
    }

    private void undo(int size) {
        while (undos.size() > size) {
            Undo undo = undos.remove(undos.size() - 1);
            set(undo.slot, undo.row, undo.expiry);
        }
    }

    /** Has the engine store what the mutations have decided, and readers no longer take it from the cache as it was. */
    void store(EngineTransaction transaction) {
        countTtlsFrom(settings.clock().now());
        List<RowChange> changes = new ArrayList<>();
        for (Slot slot : slots.values()) {
            if (slot.isChanged()) {
                changes.add(new RowChange(slot.loaded, slot.current));
            }
        }
        if (!changes.isEmpty()) {
            transaction.store(changes);
        }
        if (!expired.isEmpty()) {
            keepExpired(transaction);
        }
        long sequence = log.sequence();
        if (sequence > state.sequence() || (!changes.isEmpty() && now - state.time() >= TIME_LAG_MILLIS)) {
            save(transaction, sequence > state.sequence() ? sequence + SEQUENCE_BLOCK : state.sequence());
        }
        // Last, so that readers do without the cache for as short a time as can be.
        slots.forEach((key, slot) -> {
            if (slot.isChanged()) {
                cache().change(key, slot.current());
            }
        });
    }

    /** The work may have taken a while, and an entry shall be there for the whole of its ttl. */
    private void countTtlsFrom(long time) {
        if (time == now) {
            return;
        }
        Map<Long, Long> moved = new HashMap<>();
        for (Slot slot : slots.values()) {
            Row row = slot.current;
            if (row != null && slot.isChanged()) {
                long expiresAt = slot.expiry.from(time);
                if (expiresAt != row.expiresAt()) {
                    slot.current = row.withExpiry(expiresAt);
                    moved.put(row.version(), expiresAt);
                }
            }
        }
        log.moved(moved);
    }

    /**
     * Whether an entry that this commit keeps alive, or puts another in the place of, was live when that was decided and is
     * not any more: readers may have seen by now that it has expired, and must not see it again.
     *
     * @param time the time of the commit
     */
    boolean isOvertaken(long time) {
        for (Slot slot : slots.values()) {
            Row loaded = slot.loaded;
            if (slot.current != null && slot.isChanged() && loaded != null && isBetween(loaded.expiresAt(), time)) {
                return true;
            }
        }
        return false;
    }

    private boolean isBetween(long expiresAt, long time) {
        return expiresAt > now && expiresAt <= time;
    }

    /** Whether the commit gives an entry a later expiry. */
    boolean hasRenewals() {
        for (Slot slot : slots.values()) {
            if (slot.isRenewed()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the commit gives an entry, expired at a time as it was committed before, a later expiry. */
    boolean renews(RowKey key, long time) {
        Slot slot = slots.get(key);
        return slot != null && slot.isRenewedAfter(time);
    }

    /** Whether the commit gives any entry of some groups, expired at a time as it was committed before, a later expiry. */
    boolean renews(GroupRange groups, long time) {
        for (Map.Entry<RowKey, Slot> entry : slots.entrySet()) {
            if (entry.getValue().isRenewedAfter(time)
                    && groups.contains(entry.getKey().group())) {
                return true;
            }
        }
        return false;
    }

    private void keepExpired(EngineTransaction transaction) {
        if (settings.retaining()) {
            transaction.retain(expired);
        }
        for (Subscriber subscriber : settings.subscribers()) {
            List<Row> ofSubscriber = expired.stream()
                    .filter(row -> subscriber.groups().contains(row.key().group()))
                    .toList();
            transaction.deliveries().record(subscriber.name(), ofSubscriber);
        }
    }

    /** Keeps how far the store has come. */
    void save(EngineTransaction transaction, long reserved) {
        StoreState reached = new StoreState(reserved, now);
        transaction.save(reached);
        state = reached;
    }

    /** The state that was saved has not come to be, and is saved again with the next attempt. */
    void forgetSaved() {
        state = settings.state();
    }

    /** What there is to tell once the commit is done. */
    EventLog log() {
        return log;
    }

    /** The state that the engine holds once the commit is done. */
    StoreState state() {
        return state;
    }

    /** Has something done under the writer's lock once the commit is done, and only then. */
    void whenCommitted(Runnable work) {
        whenCommitted = work;
    }

    void committed() {
        whenCommitted.run();
    }

    /** What is kept of expired rows. */
    PurgeOptions purgeOptions() {
        return new PurgeOptions(settings.retaining(), settings.subscribers());
    }

    /** No row that was put or rescheduled expires before this. */
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

    /** The rows that the commit has loaded so far, as they stood and as they stand now. */
    Collection<Slot> slots() {
        return slots.values();
    }

    /** Those of them under some keys, which have been loaded. */
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

    /** The rows of some groups that the commit has loaded, or let expire itself, and that still stand though expired. */
    List<RowKey> loadedExpired(GroupRange groups) {
        List<RowKey> expired = new ArrayList<>();
        for (Slot slot : slots.values()) {
            Row row = slot.current;
            if (row != null && !row.isLiveAt(now) && groups.contains(row.key().group())) {
                expired.add(row.key());
            }
        }
        return expired;
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
        undos.add(new Undo(slot, slot.current, slot.expiry));
        set(slot, row, expiry);
    }

    private void set(Slot slot, @Nullable Row row, Expiry expiry) {
        slot.expiry = expiry;
        Row before = slot.current;
        Row either = before == null ? row : before;
        if (either == null) {
            return;
        }
        String group = either.key().group();
        NamespaceUsage usage = settings.ledger().of(group, this);
        if (usage != null) {
            usage.change(group, count(row) - count(before), bytes(row) - bytes(before));
            Row liveBefore = ifLive(before);
            Row live = ifLive(row);
            quotaCheck.changed(group, usage, count(live) - count(liveBefore), bytes(live) - bytes(liveBefore));
        }
        slot.current = row;
        if (row != null) {
            earliestExpiry = Math.min(earliestExpiry, row.expiresAt());
        }
    }

    private @Nullable Row ifLive(@Nullable Row row) {
        return row != null && row.isLiveAt(now) ? row : null;
    }

    private static long count(@Nullable Row row) {
        return row == null ? 0 : 1;
    }

    private static long bytes(@Nullable Row row) {
        return row == null ? 0 : row.bytes();
    }

    /** A row as it was found, and as it stands now. */
    static final class Slot {
        private final @Nullable Row loaded;
        private @Nullable Row current;

        /** How the expiry of the current row came to be, if the commit has changed it. */
        private Expiry expiry = Expiry.NEVER;

        private Slot(@Nullable Row loaded) {
            this.loaded = loaded;
            this.current = loaded;
        }

        @Nullable
        Row loaded() {
            return loaded;
        }

        @Nullable
        Row current() {
            return current;
        }

        @SuppressWarnings("ReferenceEquality") // a row is replaced when it changes, and never made anew otherwise
        private boolean isChanged() {
            return loaded != current;
        }

        private boolean isRenewed() {
            return loaded != null && current != null && current.expiresAt() > loaded.expiresAt();
        }

        private boolean isRenewedAfter(long time) {
            return loaded != null && !loaded.isLiveAt(time) && isRenewed();
        }
    }

    private record Undo(Slot slot, @Nullable Row row, Expiry expiry) {}
}
