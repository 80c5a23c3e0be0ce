package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.Supposition;
import dev.ttlstore.engine.support.Decided;
import dev.ttlstore.engine.support.Decision;
import dev.ttlstore.internal.cache.RowCache;

import static java.util.Objects.requireNonNull;

/**
 * A commit in progress: the rows that its requests name, and what was decided about them. A request
 * that throws is undone. The draft judges all expiry on the write path by one time for the whole commit. Used by one
 * thread.
 */
public final class Draft {

    private final Settings settings;
    private final EngineView view;
    private final long now;
    private final DraftRows rows;
    private final Decision decision;
    private final Renewals renewals;

    private final List<Row> expired = new ArrayList<>();
    private final QuotaCheck quotaCheck;
    private final EventLog log;

    /** The commit, if its rows stand in for the true ones. */
    private final @Nullable EngineTransaction provisional;

    private boolean recorded;
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
            List<GroupRange> retained, QuotaGuards quotas, RowCache cache, Predicate<String> valued, StoreClock clock) {

        /** Returns the same for what is committed already, so that no quota can refuse it any more. */
        Settings withoutQuotas() {
            return new Settings(retained, new QuotaGuards(), cache, valued, clock);
        }
    }

    /**
     * Starts a commit, and loads the rows that its mutations name.
     *
     * @param settings what all commits share
     * @param view the data before the commit
     * @param keys the rows that the mutations are known to name
     */
    Draft(Settings settings, EngineView view, Collection<RowKey> keys) {
        this(settings, view, keys, null, null);
    }

    /**
     * Starts a commit that loads nothing.
     *
     * @param settings what all commits share
     * @param transaction the commit
     * @param supposed its rows
     */
    Draft(Settings settings, EngineTransaction transaction, Supposition supposed) {
        this(settings, transaction, List.of(), supposed, supposed.provisional() ? transaction : null);
    }

    private Draft(
            Settings settings,
            EngineView view,
            Collection<RowKey> keys,
            @Nullable Supposition supposed,
            @Nullable EngineTransaction provisional) {
        this.settings = settings;
        this.view = view;
        this.provisional = provisional;
        this.rows = new DraftRows(view, settings.cache(), this::changes);
        this.quotaCheck =
                new QuotaCheck(settings.quotas(), rows, this::now, groups -> new ExpiredRows(this, groups)::removeSome);
        if (supposed == null) {
            quotaCheck.loaded(rows.load(keys, settings.quotas().limited(keys)));
        } else {
            supposed.rows().forEach(rows::suppose);
        }
        // Read after the load, so that the time between reading a row and judging it is short.
        this.now = view.now();
        ClockLeap leap = settings.clock().leap();
        if (leap != null && supposed != null && supposed.hasStandIn()) {
            throw new ConflictException("The clock has leapt, so the decision needs the true row");
        }
        this.decision = new Decision(now, leap, view::nextSequence);
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
     * @return the row as earlier requests of this commit left it, with the times that it should have if it was written by a clock that
     *     was ahead; null if there is no live one
     */
    public @Nullable Row live(RowKey key) {
        DraftRow row = rows.get(key);
        Row found = row.current();
        Row live = decision.live(found);
        if (found != null && live == null) {
            rows.change(row, null, ExpiryTime.NEVER);
            expired.add(found);
            log.expired(key, found.version(), found.expiresAt());
        }
        return live;
    }

    /**
     * Decides a request. If it throws or exceeds a quota, its changes are undone.
     *
     * @param request the request
     * @return what has become of it
     */
    public Answer decide(Request request) {
        Mark before = mark();
        boolean done = false;
        try {
            quotaCheck.begin();
            Answer answer = answer(request);
            quotaCheck.requireWithin();
            done = true;
            return answer;
        } finally {
            if (!done) {
                undo(before);
            }
        }
    }

    private Answer answer(Request request) {
        for (Request.Check check : request.checks()) {
            if (!check.condition().holds(live(check.key()))) {
                return Answer.REFUSED;
            }
        }
        List<Operation> operations = request.operations();
        if (operations.size() == 1) {
            return Answer.of(decide(operations.get(0)));
        }
        List<Outcome> outcomes = new ArrayList<>(operations.size());
        for (Operation operation : operations) {
            outcomes.add(decide(operation));
        }
        return Answer.of(outcomes);
    }

    private Outcome decide(Operation operation) {
        Row unused = live(operation.key()); // an expired row goes first
        DraftRow row = rows.get(operation.key());
        Decided decided = decision.of(operation, row.current(), row.changedExpiry());
        if (decided.isChange()) {
            rows.change(row, decided.after(), decided.expiry());
            publish(operation.effect().kind(), decided);
        }
        return decided.outcomeOf(operation);
    }

    private void publish(Effect.Kind effect, Decided decided) {
        switch (effect) {
            case PUT, ADD, COMPUTE, RESTORE -> log.put(decided.put(), decided.before() == null);
            case DELETE -> log.deleted(requireNonNull(decided.before()));
            default -> {
                // Another expiry is no event.
            }
        }
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
        for (DraftRow draftRow : rows.all()) {
            Row row = draftRow.current();
            Long version = row == null ? null : changed.get(row.version());
            if (row != null && version != null) {
                draftRow.set(row.withVersion(version), draftRow.expiry());
            }
        }
    }

    /** Tests whether the rows stand in for the true ones, so that the draft does not know what it replaces. */
    boolean isProvisional() {
        return provisional != null;
    }

    /** Returns the commit if the draft is provisional; otherwise null. */
    @Nullable
    EngineTransaction provisional() {
        return provisional;
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
