package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.Decision.Transition;
import dev.ttlstore.engine.commit.DraftRows.DraftRow;

import static java.util.Objects.requireNonNull;

/**
 * A commit in progress: the rows that its requests name, and what was decided about them. A request
 * that throws is undone. The draft judges all expiry on the write path by one time for the whole commit. A transaction has one while it
 * runs, and {@linkplain #reads reads} the store through it. Used by one thread.
 *
 * @since 0.1
 */
public final class Draft {

    /** How many rows of a group are cleared at once. */
    private static final int PAGE = 512;

    private final CommitSettings settings;
    private final EngineView view;
    private final long now;
    private final DraftRows rows;
    private final Decision decision;
    private final List<Row> expired = new ArrayList<>();
    private final QuotaCheck quotaCheck;

    /** What has happened, each with the next sequence number of the store. */
    private final List<Change> log;

    /**
     * How far a draft has come, for {@link #undo}.
     *
     * @param changes how many rows it had changed, counting each change
     * @param events how many changes it had to tell
     * @param expired how many rows it had found expired
     */
    public record Mark(int changes, int events, int expired) {

        /** Before anything was decided. */
        public static final Mark START = new Mark(0, 0, 0);
    }

    /**
     * Starts a commit, and loads the rows that its requests name.
     *
     * @param settings what all commits share
     * @param view the data before the commit
     * @param keys the rows that the requests are known to name; none for a transaction
     */
    public Draft(CommitSettings settings, EngineView view, Collection<RowKey> keys) {
        this.settings = settings;
        this.view = view;
        this.rows = new DraftRows(view, settings.known(), this::changes, keys.size());
        this.quotaCheck =
                new QuotaCheck(settings.quotas(), rows, this::now, groups -> new ExpiredRows(this, groups)::removeSome);
        quotaCheck.loaded(rows.load(keys, settings.quotas().limited(keys)));
        // Read after the load, so that the time between reading a row and judging it is short.
        this.now = view.now();
        this.decision = new Decision(now, settings.clock().leap(), this::nextSequence);
        this.log = new ArrayList<>(keys.size());
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
    @Nullable
    Row live(RowKey key) {
        DraftRow row = rows.get(key);
        Row found = row.current();
        Row live = decision.live(found);
        if (found != null && live == null) {
            rows.change(row, null, ExpiryTime.NEVER);
            expired.add(found);
            expired(key, found.version(), found.expiresAt());
        }
        return live;
    }

    /**
     * Decides a request whose rows may not be loaded yet.
     *
     * @param request the request
     * @return what has become of it
     */
    public Answer apply(Request request) {
        load(request.keys());
        return decide(request);
    }

    /**
     * Decides a request. If it throws or exceeds a quota, its changes are undone.
     *
     * @param request the request
     * @return what has become of it
     */
    Answer decide(Request request) {
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
        List<Operation> operations = request.operations();
        if (request.checks().isEmpty() && operations.size() == 1) {
            return Answer.of(decide(operations.get(0)));
        }
        for (Request.Check check : request.checks()) {
            if (!check.condition().holds(live(check.key()))) {
                return Answer.REFUSED;
            }
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
        Transition decided = decision.of(operation, row.current(), row.changedExpiry());
        if (decided.isChange()) {
            rows.change(row, decided.after(), decided.expiry());
            publish(operation.effect().kind(), decided);
        }
        return decided.outcomeOf(operation);
    }

    private void publish(Effect.Kind effect, Transition decided) {
        switch (effect) {
            case PUT, ADD, COMPUTE, RESTORE -> log.add(Change.put(decided.put(), decided.before() == null, now));
            case DELETE -> deleted(requireNonNull(decided.before()));
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
    void delete(Row live) {
        remove(live);
        deleted(live);
    }

    private void deleted(Row row) {
        log(Kind.DELETED, row.key(), row.version(), Row.NEVER);
    }

    /** Adds the expiry of a row to what has happened. */
    void expired(RowKey key, long version, long expiresAt) {
        log(Kind.EXPIRED, key, version, expiresAt);
    }

    private void log(Kind kind, RowKey key, long version, long expiresAt) {
        log.add(new Change(kind, nextSequence(key.group()), now, key.group(), key.key(), version, expiresAt, 0));
    }

    /**
     * Removes the live entries of groups one by one, as the transaction sees them.
     *
     * @param groups the groups
     * @return how many were removed
     */
    public long clear(GroupRange groups) {
        new ExpiredRows(this, groups).removeAll(); // first, because they expired before the deletion
        Reads reads = reads();
        long removed = 0;
        for (GroupInfo found : reads.groups(Scan.groups(groups, Reads.NOW, Integer.MAX_VALUE))) {
            String group = found.group();
            long entries = 0;
            Scan scan = Scan.group(group, Reads.NOW, PAGE);
            RowPage page;
            do {
                page = reads.page(scan);
                rows.adopt(page.rows());
                page.rows().forEach(this::remove);
                entries += page.rows().size();
                scan = scan.after(page.last());
            } while (page.more());
            removed(Kind.GROUP_DELETED, group, entries);
            removed += entries;
        }
        return removed;
    }

    /** Adds that rows were removed which are not listed, if there were any. */
    void removed(Kind kind, String group, long count) {
        if (count > 0) {
            log.add(new Change(kind, nextSequence(group), now, group, "", 0, Row.NEVER, count));
        }
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
    void load(Collection<RowKey> keys) {
        Map<String, NamespaceUsage> unused = rows.load(keys, Set.of());
    }

    /**
     * Returns how far the draft has come.
     *
     * @return a mark for {@link #undo}
     */
    public Mark mark() {
        return new Mark(rows.changes(), log.size(), expired.size());
    }

    /**
     * Undoes what was decided after a mark.
     *
     * @param mark a mark of this draft
     */
    public void undo(Mark mark) {
        rows.undo(mark.changes());
        log.subList(mark.events(), log.size()).clear(); // their numbers are not used again
        expired.subList(mark.expired(), expired.size()).clear();
    }

    /**
     * Returns what the commit writes.
     *
     * @return what was decided so far; later decisions may change it
     */
    public WriteSet writes() {
        return new WriteSet(now, rows.written(), expired, log);
    }

    /** Returns how much memory the values take that were loaded. */
    long loadedBytes() {
        long bytes = 0;
        for (DraftRow row : rows.all()) {
            Row loaded = row.loaded();
            bytes += loaded == null ? 0 : loaded.storedValue().length;
        }
        return bytes;
    }

    /**
     * Takes a sequence number.
     *
     * @param group the full name of a group
     * @return a number after those of all earlier events of the group, and before those of all later ones
     */
    public long nextSequence(String group) {
        return view.nextSequence(group);
    }

    CommitSettings settings() {
        return settings;
    }

    /**
     * Returns the reads of a transaction.
     *
     * @return committed rows, overlaid by the draft's own changes
     */
    public Reads reads() {
        return new OverlayReads(this);
    }

    /** Returns the reads of the data before the commit. */
    Reads committed() {
        return view.reads();
    }

    DraftRows rows() {
        return rows;
    }

    QuotaCheck quotaCheck() {
        return quotaCheck;
    }

    private void changes(@Nullable Row before, @Nullable Row after) {
        quotaCheck.changed(before, after);
    }
}
