package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.engine.commit.RowCommit;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.LogRow.Sent;

import static java.util.Objects.requireNonNull;

/**
 * A commit of one row that holds no lock while it is decided. It reads the row, or nothing if it overwrites whatever there is: one row,
 * or several of one group. Then one text locks the slot, checks that nothing has changed, stores and logs. The text is a transaction of
 * its own, which the server commits at its end. If something has changed, that is a conflict.
 * Any other commit of more than one row is left to a {@link LockedCommit}, which locks first. Used by one thread.
 */
final class GuardedCommit implements RowCommit, Sending {

    /**
     * How far the numbers of these commits are ahead of the server's clock, so that they are higher than those of commits that others
     * have sent before.
     */
    private static final long LEAD_MICROS = 5_000;

    /** The largest number of rows that are put without a lock, so that a commit that is decided again is not long. */
    private static final int MOST_ROWS = 500;

    private static final Logger log = LoggerFactory.getLogger(GuardedCommit.class);

    private static final String IS_COUNTED =
            "SELECT 1 FROM @usage u WHERE u.slot = ? AND u.namespace = ?::text AND u.grp = ''";

    private final NodeParts parts;
    private final Connections.Borrowed connection;
    private final Optimism optimism;
    private final LastRows lastRows;
    private final Batch.@Nullable Requests asked;
    private final UUID batch = UUID.randomUUID();
    private final List<LogRow> news = new ArrayList<>();
    private long loadLimit = Long.MAX_VALUE;
    private @Nullable LockedCommit locked;
    private @Nullable Guess decided;

    /** The row of the commit, or the rows that it puts, and what is decided about them. */
    private static final class Guess {
        private final int slot;
        private final Set<RowKey> keys;

        /** One of the keys, which is the only one unless rows are overwritten. */
        private final RowKey key;

        private final @Nullable String namespace;
        private final boolean overwriting;
        private final long now;
        private final Set<RowKey> replaced = new HashSet<>();
        private final long server;
        private long first;
        private long next;

        /** In the order of their versions. */
        private List<RowChange> changes = List.of();

        private List<Change> logged = List.of();
        private @Nullable LogRow log;
        private @Nullable UUID before;
        private boolean recalled;

        /** How the rows are supposed to be, or were found; those that are missing or null do not exist. Null if they are read. */
        private @Nullable Map<RowKey, @Nullable Row> supposed;

        private @Nullable ExpectedRow expected;

        private Guess(int slot, long server, List<RowKey> keys, boolean overwriting, long now) {
            this.slot = slot;
            this.server = server;
            this.keys = Set.copyOf(keys);
            this.key = keys.get(0);
            this.namespace = Namespaces.of(key.group());
            this.overwriting = overwriting;
            this.now = now;
        }

        private void done(UUID head, byte... kinds) {
            before = head;
            for (int i = 0; i < kinds.length; i++) {
                if (kinds[i] == ChangeCodec.REPLACED) {
                    replaced.add(changes.get(i).key());
                }
            }
        }

        /** Tests whether other rows stand in for the true ones. */
        private boolean isProvisional() {
            return overwriting || expected != null;
        }

        /** Returns those of some rows that are supposed to exist; null if that is not known of all of them. */
        private @Nullable Map<RowKey, Row> supposed(Collection<RowKey> wanted) {
            Map<RowKey, @Nullable Row> known = supposed;
            if (known == null || !keys.containsAll(wanted)) {
                return null;
            }
            Map<RowKey, Row> rows = new HashMap<>();
            for (RowKey name : wanted) {
                Row row = known.get(name);
                if (row != null) {
                    rows.put(name, row);
                }
            }
            return rows;
        }

        private List<Row> puts() {
            return changes.stream()
                    .map(change -> requireNonNull(change.after()))
                    .toList();
        }
    }

    GuardedCommit(NodeParts parts, Connections.Borrowed connection, Optimism optimism, LastRows lastRows, Batch batch) {
        this.parts = parts;
        this.connection = connection;
        this.optimism = optimism;
        this.lastRows = lastRows;
        this.asked = batch instanceof Batch.Requests requests ? requests : null;
    }

    /** Locks from now on. What was read without a lock does not count then. */
    private LockedCommit locked() {
        if (decided != null) {
            optimism.needsLock();
            throw new ConflictException("The commit needs a lock");
        }
        LockedCommit commit = locked;
        if (commit == null) {
            commit = new LockedCommit(parts, new LockedTransaction(parts, connection));
            commit.limitLoad(loadLimit);
            locked = commit;
        }
        return commit;
    }

    private boolean isFree(RowKey key) {
        String namespace = Namespaces.of(key.group());
        return decided == null && locked == null && (namespace == null || !optimism.isCounted(namespace));
    }

    /** Supposes how the rows are, if the requests can be decided by that. */
    private void suppose() {
        Batch.Requests all = asked;
        Premise premise =
                all == null || all.requests().stream().anyMatch(all.settings().quotas()::isLimiting)
                        ? null
                        : Premise.of(all.requests());
        // A dead connection is better noticed by a read, because the outcome of a commit would have to be looked up.
        if (premise == null || !isFree(premise.key()) || !parts.connections().isAnswering()) {
            return;
        }
        Request.Read read = premise.read();
        Expected expected = premise.expected();
        if (read != null) {
            begin(List.of(premise.key()), false, Collections.singletonMap(premise.key(), read.row()));
        } else if (expected != null) {
            expect(premise.key(), expected);
        } else if (areFew(premise.keys())) {
            begin(premise.keys(), true, Map.of());
        }
    }

    /** Tests whether rows of one group can be overwritten together. */
    private static boolean areFew(List<RowKey> keys) {
        String group = keys.get(0).group();
        return keys.size() <= MOST_ROWS
                && keys.stream().allMatch(key -> key.group().equals(group))
                && keys.stream()
                                .mapToInt(key -> ChangeCodec.mostBytes(key.group(), key.key()))
                                .sum()
                        <= ChangeCodec.MOST_BYTES;
    }

    /** After a leap of the clock, what becomes of a row depends on when it was written. */
    private void expect(RowKey key, Expected expected) {
        if (parts.times().leap() == null && !lastRows.hasFound(key)) {
            begin(List.of(key), false, Map.of(key, expected.standIn(key)));
            requireNonNull(decided).expected = new ExpectedRow(key, expected);
        }
    }

    /**
     * Decides again by the rows that were found, if the commit was decided by others that stood in for them. If it has changed nothing because
     * they were not as expected, that must be what the requests come to, too.
     *
     * @param committed what they have come to by the rows that stood in
     */
    Committed found(Committed committed) {
        Guess one = decided;
        Batch.Requests requests = asked;
        if (requests == null || one == null || !one.isProvisional()) {
            return committed;
        }
        ExpectedRow expected = one.expected;
        one.next = one.first;
        if (expected == null) {
            Map<RowKey, @Nullable Row> replaced = new HashMap<>();
            one.replaced.forEach(key -> replaced.put(key, Expected.anything().standIn(key)));
            one.supposed = replaced;
            return RowBatch.again(requests, this);
        }
        one.supposed = Collections.singletonMap(one.key, expected.found().row());
        Committed again = RowBatch.again(requests, this);
        boolean changes = !again.writes().rows().isEmpty();
        if (changes && !expected.found().changed()) {
            throw new ConflictException("The row is not as expected, and is to be changed all the same");
        }
        if (!changes && expected.found().changed()) {
            throw new IllegalStateException("The commit has changed a row against the decision");
        }
        return again;
    }

    private void begin(List<RowKey> keys, boolean overwriting, @Nullable Map<RowKey, @Nullable Row> supposed) {
        int slot = parts.slots().of(keys.get(0).group());
        Guess begun = new Guess(
                slot,
                parts.timelines().server(slot),
                keys,
                overwriting,
                parts.times().now());
        LogPlace place = parts.following().place(slot);
        long estimate = parts.times().micros() + LEAD_MICROS;
        begun.first = place == null ? estimate : Math.max(estimate, place.seq() + 1);
        begun.next = begun.first;
        begun.supposed = supposed;
        decided = begun;
    }

    @Override
    public void limitLoad(long bytes) {
        loadLimit = bytes;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        if (decided == null && locked == null) {
            suppose();
        }
        Map<RowKey, Row> supposed = decided == null || !namespaces.isEmpty() ? null : decided.supposed(keys);
        if (supposed != null) {
            return new Loaded(supposed, Map.of());
        }
        RowKey key = keys.size() == 1 && namespaces.isEmpty() ? keys.iterator().next() : null;
        if (key == null || !isFree(key)) {
            return locked().load(keys, namespaces);
        }
        LastRows.Known known = parts.connections().isAnswering() ? lastRows.recall(key) : null;
        Row row = known == null ? JudgedReads.readOnce(connection, parts, key) : known.row();
        if (known == null) {
            lastRows.read(key, row);
        }
        begin(List.of(key), false, null);
        Guess one = requireNonNull(decided);
        one.recalled = known != null;
        if (row == null) {
            return new Loaded(Map.of(), Map.of());
        }
        if (!row.isLiveAt(one.now)) {
            lastRows.forget(key);
            return locked().load(keys, namespaces); // which is a conflict: its expiry takes more than one row
        }
        return new Loaded(Map.of(key, row), Map.of());
    }

    @Override
    public Reads reads() {
        return locked().reads();
    }

    @Override
    public long now() {
        Guess one = decided;
        return one == null ? locked().now() : one.now;
    }

    @Override
    public long nextSequence(String group) {
        Guess one = decided;
        if (one == null || parts.slots().of(group) != one.slot) {
            return locked().nextSequence(group);
        }
        return parts.slots().number(one.slot, one.next++);
    }

    @Override
    public Set<String> validate(EngineSnapshot snapshot) {
        return locked().validate(snapshot);
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        Guess one = decided;
        if (one == null
                || !writes.expired().isEmpty()
                || !writes.rows().stream().allMatch(change -> one.keys.contains(change.key()))) {
            return locked().store(writes, retained);
        }
        one.changes = new ArrayList<>(writes.rows());
        if (one.overwriting) {
            one.changes.sort(Comparator.comparingLong(
                    change -> requireNonNull(change.after()).version()));
        }
        // A row that stands in for another expires at no time of its own, and the statement shortens no expiry without
        // knowing it.
        one.logged = one.isProvisional() ? writes.changes() : writes.logged();
        return false;
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long until, PurgeBudget budget, List<GroupRange> retained) {
        return locked().removeExpired(groups, until, budget, retained);
    }

    @Override
    public DeliveryTable deliveries() {
        return locked().deliveries();
    }

    @Override
    public long removeGroup(String group) {
        return locked().removeGroup(group);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        return locked().forget(groups, until, limit);
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        return locked().mendRetained(after, to, limit);
    }

    @Override
    public @Nullable Sent prepare() {
        if (locked != null) {
            return locked.prepare();
        }
        Guess one = decided;
        if (one == null) {
            return null;
        }
        if (one.expected != null && parts.times().leap() != null) {
            throw new ConflictException("The clock has leapt, so the decision needs the true row");
        }
        if (one.changes.isEmpty()) {
            if (one.expected != null) {
                optimism.needsLock();
                throw new ConflictException("The decision needs the true row");
            }
            if (one.recalled) {
                lastRows.forget(one.key);
                throw new ConflictException("Only a read can tell that nothing is to be done");
            }
            if (one.logged.isEmpty()) {
                return null; // what was read was so when it was read
            }
            optimism.needsLock();
            throw new ConflictException("A row that was put and removed again leaves events only, which takes a lock");
        }
        if (one.changes.size() > 1 && one.logged.size() != one.changes.size()) {
            optimism.needsLock();
            throw new ConflictException("The kinds of the events could not be told apart");
        }
        long due = Row.NEVER;
        for (RowChange change : one.changes) {
            Row after = change.after();
            due = after == null ? due : Math.min(due, after.expiresAt());
        }
        one.log = new LogRow(one.slot, Math.max(one.first, one.next - 1), batch, due, false, encoded(one));
        return new Sent(batch, List.of(one.log));
    }

    private static byte @Nullable [] encoded(Guess one) {
        if (one.logged.isEmpty()) {
            return null;
        }
        return one.changes.size() == 1 ? ChangeCodec.encode(one.logged) : ChangeCodec.encodeForKinds(one.logged);
    }

    @Override
    public void send() throws SQLException {
        if (locked != null) {
            locked.send();
            return;
        }
        Guess one = requireNonNull(decided);
        LogRow row = requireNonNull(one.log);
        Timeouts timeouts = parts.timeouts().workingOn(one.changes.size(), LockedCommit.bytes(one.changes));
        Script script = timeouts.lock(parts.connections().script(), one.slot);
        boolean asksFirst = optimism.expectsNews();
        List<LogRow> rows = asksFirst ? addNews(script, one, parts.times().isFollowing()) : List.of();
        GuardedStores.Guard guard = new GuardedStores.Guard(one.first, one.now, one.server, one.namespace);
        RowChange change = one.changes.get(0);
        ExpectedRow expected = one.expected;
        if (expected != null) {
            expected.change(script, guard, row, change);
        } else if (one.changes.size() > 1) {
            new GuardedStores(script, guard, row, found -> one.done(found.getObject(1, UUID.class), found.getBytes(2)))
                    .overwrite(one.puts());
        } else {
            GuardedStores rowStatements = new GuardedStores(
                    script, guard, row, found -> one.done(found.getObject(1, UUID.class), found.getByte(2)));
            if (one.overwriting) {
                rowStatements.overwrite(requireNonNull(change.after()));
            } else {
                rowStatements.store(change);
            }
        }
        connection.run(script);
        if (expected != null) {
            one.before = expected.before();
        }
        if (one.before == null) {
            if (one.recalled) {
                lastRows.forget(one.key);
            } else {
                refused(one, rows);
            }
            throw new ConflictException("Another commit came first");
        }
        if (expected != null && expected.hasExpired(one.now)) {
            optimism.needsLock();
            throw new ConflictException("The row has expired, which takes more than one row");
        }
        optimism.won();
        if (expected != null) {
            expected.note(lastRows, change);
            if (!expected.found().changed()) {
                long unused = parts.times().told(expected.time());
                return;
            }
        } else {
            one.changes.forEach(stored -> note(stored, one));
        }
        if (asksFirst) {
            take(rows, one);
        } else {
            takeOrAsk(one);
        }
    }

    private void note(RowChange stored, Guess one) {
        if (one.replaced.contains(stored.key())) {
            lastRows.forget(stored.key()); // when it was created is not known
        } else {
            lastRows.committed(stored.key(), stored.after());
        }
    }

    /** Takes the head as the only news if it is this node's place; otherwise others have committed since. */
    private void takeOrAsk(Guess one) {
        LogPlace place = parts.following().place(one.slot);
        boolean alone = place == null || place.batch().equals(one.before);
        optimism.found(!alone);
        if (!alone) {
            learn(one, () -> readNews(one, parts.times().isFollowing(), connection::run));
        } else if (place != null) {
            news.add(new LogRow(one.slot, place.seq(), place.batch(), Row.NEVER, false, null));
        }
    }

    /** Finds out why nothing was stored. */
    private void refused(Guess one, List<LogRow> news) throws SQLException {
        List<Long> head = new ArrayList<>();
        List<Integer> counted = new ArrayList<>();
        Script script = parts.connections().script();
        if (news.isEmpty()) {
            Script unused = Head.query(script, List.of(one.slot), found -> {
                head.add(found.seq());
                parts.timelines().look(found);
            });
        } else {
            head.add(news.get(0).seq());
        }
        if (one.namespace != null) {
            Script unused = script.query(IS_COUNTED, row -> counted.add(row.getInt(1)), one.slot, one.namespace);
        }
        if (!script.isEmpty()) {
            connection.run(script);
        }
        if (one.namespace != null && !counted.isEmpty()) {
            optimism.counted(one.namespace);
        }
        long newest = Head.required(one.slot, head.isEmpty() ? null : head.get(0));
        if (counted.isEmpty() && newest >= one.first) {
            optimism.overtaken();
        } else {
            optimism.beaten();
        }
    }

    /** Adds the query for the commits since this node's place, if it follows; they come in reverse. */
    private List<LogRow> addNews(Script script, Guess one, boolean recent) {
        List<LogRow> rows = new ArrayList<>();
        LogPlace place = parts.following().place(one.slot);
        if (place != null) {
            TreeMap<Integer, LogPlace> places = new TreeMap<>(Map.of(one.slot, place));
            Script unused = Head.since(script, places, recent, row -> {
                if (rows.isEmpty()) {
                    Head head = Head.of(row);
                    parts.times().heard(head.micros());
                    parts.timelines().look(head);
                }
                rows.add(LogRow.ofHead(row));
            });
        }
        return rows;
    }

    @Override
    public boolean hasStored() {
        return locked != null
                || decided == null
                || decided.expected == null
                || decided.expected.found().changed();
    }

    @Override
    public void ask() {
        Guess one = decided;
        if (one != null) {
            if (one.expected != null) {
                lastRows.forget(one.key);
                one.expected.ask(parts, requireNonNull(one.log), one.changes.get(0));
            }
            // Not as recent ones: the changes of this commit must be among them, however many they are.
            learn(one, () -> PatientQuery.ask(parts.timeouts(), () -> readNews(one, false, parts.connections()::read)));
        }
    }

    /** Learns what came before the commit. Throws nothing, because the commit is made. */
    private void learn(Guess one, PatientQuery.Question<List<LogRow>> question) {
        try {
            take(question.ask(), one);
        } catch (SQLException | RuntimeException e) {
            log.debug("What others have committed could not be read, so this node reports a gap", e);
        }
    }

    /** Reads the commits since this node's place, in reverse. */
    private List<LogRow> readNews(Guess one, boolean recent, Query query) throws SQLException {
        Script script = parts.connections().script();
        List<LogRow> rows = addNews(script, one, recent);
        if (!script.isEmpty()) {
            query.run(script);
        }
        return rows;
    }

    /** Runs a script that only reads. */
    @FunctionalInterface
    private interface Query {
        void run(Script script) throws SQLException;
    }

    private void take(List<LogRow> rows, Guess one) {
        long own = requireNonNull(one.log).seq();
        Collections.reverse(rows);
        for (LogRow row : rows) {
            if (row.seq() < own) {
                news.add(row);
            } else if (row.batch().equals(batch) && row.changes() != null) {
                one.replaced.addAll(ChangeCodec.replaced(row.changes()));
            }
        }
        optimism.found(news.size() > 1);
    }

    @Override
    public List<LogRow> news() {
        return locked == null ? news : locked.news();
    }

    @Override
    public boolean isLocked() {
        return locked != null;
    }
}
