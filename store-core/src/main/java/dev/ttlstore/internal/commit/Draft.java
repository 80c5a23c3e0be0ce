package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.internal.cache.RowCache;

/**
 * A commit in progress: the rows that its mutations name, and what the mutations have decided about them. A mutation
 * that throws is undone. The draft judges all expiry on the write path by one time for the whole commit. Used by one
 * thread.
 */
public final class Draft {

    private final Settings settings;
    private final EngineView view;
    private final long now;
    private final DraftRows rows;
    private final Renewals renewals;

    /** Whether the clock may be far ahead, so that what this commit writes may have to be mended later. */
    private final boolean mayBeAhead;

    /** Whether the clock was far ahead, so that this commit mends what was written meanwhile. */
    private final boolean mends;

    private final List<Row> expired = new ArrayList<>();
    private final QuotaCheck quotaCheck;
    private final EventLog log;

    /** The commit, if it puts its rows without having loaded them. */
    private final @Nullable EngineTransaction overwriting;

    /** The commit, if it was decided by a row that stands in for the true one. */
    private final @Nullable EngineTransaction expecting;

    private boolean recorded;
    private long unlisted;
    private @Nullable Long unlistedNumber;
    private long earliestExpiry = Row.NEVER;

    /**
     * What all commits of a store share.
     *
     * @param retained the groups whose expired rows are retained when they are removed
     * @param quotas the quotas of namespaces
     * @param cache cached rows; while the writer's lock is held, they are those of the last commit
     * @param valued selects the groups whose events have the stored value
     * @param clock tells whether the store's clock is, or was, far ahead
     */
    record Settings(
            List<GroupRange> retained,
            QuotaGuards quotas,
            RowCache cache,
            Predicate<String> valued,
            StoreClock clock) {}

    /**
     * Starts a commit, and loads the rows that its mutations name.
     *
     * @param settings what all commits share
     * @param view the data before the commit
     * @param keys the rows that the mutations are known to name
     */
    Draft(Settings settings, EngineView view, Collection<RowKey> keys) {
        this(settings, view, keys, List.of(), null, null);
    }

    /**
     * Starts a commit of mutations whose premises the engine accepts, so that nothing is loaded.
     *
     * @param settings what all commits share
     * @param transaction the commit
     * @param premises what the mutations know of their rows: either one, or several that overwrite
     */
    Draft(Settings settings, EngineTransaction transaction, List<Premise> premises) {
        this(
                settings,
                transaction,
                List.of(),
                premises,
                premises.get(0) instanceof Premise.Overwriting ? transaction : null,
                premises.get(0) instanceof Premise.Expecting ? transaction : null);
    }

    private Draft(
            Settings settings,
            EngineView view,
            Collection<RowKey> keys,
            List<Premise> premises,
            @Nullable EngineTransaction overwriting,
            @Nullable EngineTransaction expecting) {
        this.settings = settings;
        this.expecting = expecting;
        this.view = view;
        this.overwriting = overwriting;
        this.rows = new DraftRows(view, settings.cache(), this::changes);
        this.quotaCheck =
                new QuotaCheck(settings.quotas(), rows, this::now, groups -> new ExpiredRows(this, groups)::removeSome);
        if (premises.isEmpty()) {
            quotaCheck.loaded(rows.load(keys, settings.quotas().limited(keys)));
        } else {
            premises.forEach(rows::suppose);
        }
        // Read after the load, so that the time between reading a row and judging it is short.
        this.now = view.now();
        ClockLeap leap = settings.clock().leap();
        if (leap != null && expecting != null) {
            throw new ConflictException("The clock has leapt, so the decision needs the true row");
        }
        this.mayBeAhead = leap != null && leap.mayBeAhead(now);
        this.mends = leap != null && leap.isToMend(now);
        this.renewals = new Renewals(rows.byKey(), now);
        this.log = new EventLog(now, view::nextSequence, settings.valued());
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
     * @return the row as earlier mutations of this commit left it, with the times that it should have if it was written by a clock that
     *     was ahead; null if there is no live one
     */
    public @Nullable Row live(RowKey key) {
        DraftRow slot = rows.get(key);
        Row row = slot.current();
        if (row == null || row.isLiveAt(now)) {
            return row == null || !mends ? row : ClockLeap.mended(row, now);
        }
        rows.change(slot, null, ExpiryTime.NEVER);
        expired.add(row);
        log.expired(key, row.version(), row.expiresAt());
        return null;
    }

    /**
     * Puts a value under a key.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry the rule for the expiry; a ttl counts from the moment at which the commit is stored
     * @return the new version
     */
    public long put(RowKey key, byte[] value, ExpiryRule expiry) {
        Row live = live(key);
        ExpiryTime expires = expiryBy(expiry, live);
        long version = log.nextSequence(key.group());
        long createdAt = live == null ? now : live.createdAt();
        Row row = new Row(key, value, version, createdAt, updatedAt(live), expires.from(now));
        rows.change(rows.get(key), row, expires);
        log.put(row, live == null);
        return version;
    }

    /** Returns when a row counts as updated that is put now. */
    private long updatedAt(@Nullable Row live) {
        if (live == null || !ClockLeap.isBelievable(live.updatedAt(), now)) {
            return now;
        }
        return Math.max(now, live.updatedAt()); // another node's time may be ahead of this one's
    }

    /**
     * Puts an entry that has existed elsewhere, with its times and its expiry.
     *
     * @param row the entry; its version does not count
     */
    public void restore(Row row) {
        Row live = live(row.key());
        Row restored = row.withVersion(log.nextSequence(row.key().group()));
        rows.change(rows.get(row.key()), restored, ExpiryTime.exactly(row.expiresAt()));
        log.put(restored, live == null);
    }

    private ExpiryTime expiryBy(ExpiryRule rule, @Nullable Row live) {
        return rule instanceof ExpiryTime time
                ? time // without a look at the entry
                : rule.of(live, live == null ? ExpiryTime.NEVER : expiryOf(live));
    }

    /**
     * Returns the expiry of a live entry. If this commit has set it to a ttl, it still counts from the moment at
     * which the commit is stored.
     *
     * @param live the row, as {@link #live} returned it
     * @return its expiry
     */
    ExpiryTime expiryOf(Row live) {
        DraftRow slot = rows.get(live.key());
        return slot.isChanged() ? slot.expiry() : ExpiryTime.exactly(live.expiresAt());
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
     * Changes the expiry of a live entry. If the clock may be far ahead, and the new expiry counts from now, the entry counts as updated,
     * because the expiry may have to be mended later.
     *
     * @param live the row, as {@link #live} returned it
     * @param expiry the rule for the expiry; a ttl counts from the moment at which the commit is stored
     */
    public void reschedule(Row live, ExpiryRule expiry) {
        ExpiryTime expires = expiryBy(expiry, live);
        long expiresAt = expires.from(now);
        boolean marks = (mayBeAhead && expires.isMovedBy(now)) || !ClockLeap.isBelievable(live.updatedAt(), now);
        Row renewed = marks && expiresAt != live.expiresAt() ? live.withUpdate(now) : live;
        rows.change(rows.get(live.key()), renewed.withExpiry(expiresAt), expires);
    }

    /**
     * Gives a live entry that was written by a clock that was ahead the times that it should have.
     *
     * @param key the row
     * @return whether there is such an entry
     */
    boolean mend(RowKey key) {
        Row live = live(key);
        DraftRow slot = rows.get(key);
        Row stored = slot.current();
        if (live == null
                || stored == null
                || (live.createdAt() == stored.createdAt() && live.updatedAt() == stored.updatedAt())) {
            return false;
        }
        rows.change(slot, live, ExpiryTime.exactly(live.expiresAt()));
        return true;
    }

    /** Removes a live entry without an event. */
    void remove(Row live) {
        rows.change(rows.get(live.key()), null, ExpiryTime.NEVER);
    }

    /**
     * Loads rows in bulk, before they are needed one by one.
     *
     * @param keys the rows
     */
    public void load(Collection<RowKey> keys) {
        Map<String, NamespaceUsage> unused = rows.load(keys, Set.of());
    }

    /**
     * Runs a mutation. If it throws or exceeds a quota, its changes are undone.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R apply(Mutation<R> mutation) {
        Mark before = mark();
        boolean done = false;
        try {
            quotaCheck.begin();
            R answer = mutation.apply(this);
            quotaCheck.requireWithin();
            done = true;
            return answer;
        } finally {
            if (!done) {
                undo(before);
            }
        }
    }

    /** How far a draft has come. */
    record Mark(int changes, int events, int expired) {

        /** Before anything was decided. */
        static final Mark START = new Mark(0, 0, 0);
    }

    /** Returns how far the draft has come, for {@link #undo}. */
    Mark mark() {
        return new Mark(rows.changes(), log.size(), expired.size());
    }

    /** Undoes what was decided after a mark. */
    void undo(Mark mark) {
        rows.undo(mark.changes);
        log.truncate(mark.events);
        expired.subList(mark.expired, expired.size()).clear();
    }

    /** Throws {@link ConflictException} if the decisions are no longer right. */
    void validate(EngineTransaction transaction, EngineSnapshot read) {
        if (!quotaCheck.isWithin(transaction, transaction.validate(read))) {
            throw new ConflictException("Others have used up what a quota had left");
        }
    }

    /** Gives all events, and the rows that were put, other sequence numbers, which rise in the same order. */
    void renumber(ToLongFunction<String> numbers) {
        Map<Long, Long> changed = log.renumber(numbers);
        for (DraftRow slot : rows.all()) {
            Row row = slot.current();
            Long version = row == null ? null : changed.get(row.version());
            if (row != null && version != null) {
                slot.set(row.withVersion(version), slot.expiry());
            }
        }
    }

    /** Tests whether the draft does not know what it overwrites. */
    boolean isOverwriting() {
        return overwriting != null;
    }

    /** Returns the commit if the draft was decided by a row that stands in for the true one; otherwise null. */
    @Nullable
    EngineTransaction expecting() {
        return expecting;
    }

    /** Completes the events with what is known only now that the commit is made. */
    void committed() {
        if (overwriting != null) {
            log.overwritten(overwriting::hasOverwritten);
        }
    }

    /** Returns the entries that the draft keeps alive. */
    Renewals renewals() {
        return renewals;
    }

    /** Returns the rows that this commit has found expired. */
    List<Row> expired() {
        return expired;
    }

    /** Returns the events to publish after the commit. */
    EventLog log() {
        return log;
    }

    /** Notes that the commit has recorded a delivery. */
    void recorded(boolean delivery) {
        recorded |= delivery;
    }

    /** Tests whether the commit has recorded a delivery. */
    boolean hasRecorded() {
        return recorded;
    }

    /** Counts expired entries that the commit removes and does not list. One number stands for their events. */
    void expired(long entries) {
        if (entries > 0) {
            unlisted += entries;
            unlistedNumber = log.nextSequence("");
        }
    }

    /** Returns the number of the events that the commit leaves out, because nobody asks for them; null if there are none. */
    @Nullable
    Long unlistedNumber() {
        return unlistedNumber;
    }

    /** Returns how many expired entries the commit removes without an event for each, because nobody asks for them. */
    long unlisted() {
        return unlisted;
    }

    Settings settings() {
        return settings;
    }

    /** Returns a time before which no row that was put or rescheduled expires. */
    long earliestExpiry() {
        return earliestExpiry;
    }

    Reads reads() {
        return view.reads();
    }

    RowCache cache() {
        return settings.cache();
    }

    QuotaCheck quotaCheck() {
        return quotaCheck;
    }

    DraftRows rows() {
        return rows;
    }

    private void changes(@Nullable Row before, @Nullable Row after) {
        quotaCheck.changed(before, after);
        if (after != null) {
            earliestExpiry = Math.min(earliestExpiry, after.expiresAt());
        }
    }
}
