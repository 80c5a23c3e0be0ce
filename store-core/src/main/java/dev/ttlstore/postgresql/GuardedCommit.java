package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Found;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Loaded;
import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;

import static java.util.Objects.requireNonNull;

/**
 * A commit of one row that holds no lock while it is decided. It reads the row, or nothing if it overwrites whatever there is. Then
 * one text locks the slot, checks that nothing has changed, stores and logs. The text is a transaction of its own, which the server
 * commits at its end. If something has changed, that is a conflict.
 * A commit of more than one row is left to a {@link Commit}, which locks first. Used by one thread.
 */
final class GuardedCommit implements EngineTransaction, Sending {

    /**
     * How far the numbers of these commits are ahead of the server's clock, so that they are higher than those of commits that others
     * have sent before.
     */
    private static final long LEAD_MICROS = 5_000;

    private static final Logger log = LoggerFactory.getLogger(GuardedCommit.class);

    private static final String IS_COUNTED =
            "SELECT 1 FROM @usage u WHERE u.slot = ? AND u.namespace = ? AND u.grp = ''";

    private final Parts parts;
    private final Connections.Borrowed connection;
    private final Optimism optimism;
    private final LastRows lastRows;
    private final UUID batch = UUID.randomUUID();
    private final List<LogRow> news = new ArrayList<>();
    private @Nullable Commit locked;
    private @Nullable Lone lone;

    /** The one row of the commit, and what is decided about it. */
    private static final class Lone {
        private final int slot;
        private final RowKey key;
        private final @Nullable String namespace;
        private final boolean overwriting;
        private final long now;
        private long first;
        private long next;
        private @Nullable RowChange change;
        private List<LoggedChange> logged = List.of();
        private @Nullable LogRow log;
        private @Nullable UUID before;
        private boolean replaced;
        private boolean recalled;
        private @Nullable ExpectedRow expected;

        private Lone(int slot, RowKey key, boolean overwriting, long now) {
            this.slot = slot;
            this.key = key;
            this.namespace = Namespaces.of(key.group());
            this.overwriting = overwriting;
            this.now = now;
        }

        private void done(UUID head, int kind) {
            before = head;
            replaced = kind == ChangeCodec.REPLACED;
        }
    }

    GuardedCommit(Parts parts, Connections.Borrowed connection, Optimism optimism, LastRows lastRows) {
        this.parts = parts;
        this.connection = connection;
        this.optimism = optimism;
        this.lastRows = lastRows;
    }

    /** Locks from now on. What was read without a lock does not count then. */
    private Commit locked() {
        if (lone != null) {
            optimism.needsLock();
            throw new ConflictException("The commit needs a lock");
        }
        Commit commit = locked;
        if (commit == null) {
            commit = new Commit(parts, connection);
            locked = commit;
        }
        return commit;
    }

    private boolean isFree(RowKey key) {
        String namespace = Namespaces.of(key.group());
        return lone == null && locked == null && (namespace == null || !optimism.isCounted(namespace));
    }

    @Override
    public boolean canOverwrite(RowKey key) {
        // A dead connection is better noticed by a read, because the outcome of a commit would have to be looked up.
        boolean can = isFree(key) && parts.connections().isAnswering();
        if (can) {
            begin(key, true);
        }
        return can;
    }

    @Override
    public boolean canSuppose(RowKey key, @Nullable Row row) {
        boolean can = isFree(key) && parts.connections().isAnswering();
        if (can) {
            begin(key, false);
        }
        return can;
    }

    @Override
    public boolean canExpect(RowKey key, Expected expected) {
        boolean can = isFree(key) && parts.connections().isAnswering() && !lastRows.hasFound(key);
        if (can) {
            begin(key, false);
            requireNonNull(lone).expected = new ExpectedRow(key, expected);
        }
        return can;
    }

    @Override
    public Found found() {
        Lone one = requireNonNull(lone);
        one.next = one.first;
        return requireNonNull(one.expected).found();
    }

    @Override
    public boolean hasOverwritten() {
        return lone != null && lone.replaced;
    }

    private void begin(RowKey key, boolean overwriting) {
        int slot = parts.slots().of(key.group());
        Lone begun = new Lone(slot, key, overwriting, parts.times().now());
        Following.Place place = parts.following().place(slot);
        long estimate = parts.times().micros() + LEAD_MICROS;
        begun.first = place == null ? estimate : Math.max(estimate, place.seq() + 1);
        begun.next = begun.first;
        lone = begun;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        RowKey key = keys.size() == 1 && namespaces.isEmpty() ? keys.iterator().next() : null;
        if (key == null || !isFree(key)) {
            return locked().load(keys, namespaces);
        }
        LastRows.Known known = parts.connections().isAnswering() ? lastRows.recall(key) : null;
        Row row = known == null ? JudgedReads.readOnce(connection, parts, key) : known.row();
        if (known == null) {
            lastRows.read(key, row);
        }
        begin(key, false);
        Lone one = requireNonNull(lone);
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
    public EngineReads reads() {
        return locked().reads();
    }

    @Override
    public long now() {
        Lone one = lone;
        return one == null ? locked().now() : one.now;
    }

    @Override
    public long nextSequence(String group) {
        Lone one = lone;
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
    public void store(Collection<RowChange> changes) {
        Lone one = lone;
        RowChange only = changes.size() == 1 ? changes.iterator().next() : null;
        if (one == null || only == null || !one.key.equals(only.key())) {
            locked().store(changes);
        } else {
            one.change = only;
        }
    }

    @Override
    public void log(List<LoggedChange> changes) {
        Lone one = lone;
        if (one == null) {
            locked().log(changes);
        } else {
            one.logged = changes;
        }
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long until, PurgeBudget budget, List<GroupRange> retained) {
        return locked().removeExpired(groups, until, budget, retained);
    }

    @Override
    public boolean expired(Collection<Row> rows, List<GroupRange> retained) {
        return locked().expired(rows, retained);
    }

    @Override
    public DeliveryWrites deliveries() {
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
    public @Nullable Sent prepare() {
        if (locked != null) {
            return locked.prepare();
        }
        Lone one = lone;
        if (one == null) {
            return null;
        }
        if (one.change == null) {
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
        Row after = one.change.after();
        one.log = new LogRow(
                one.slot,
                Math.max(one.first, one.next - 1),
                batch,
                after == null ? Row.NEVER : after.expiresAt(),
                false,
                one.logged.isEmpty() ? null : ChangeCodec.encode(one.logged));
        return new Sent(batch, List.of(one.log));
    }

    @Override
    public void send() throws SQLException {
        if (locked != null) {
            locked.send();
            return;
        }
        Lone one = requireNonNull(lone);
        LogRow row = requireNonNull(one.log);
        Script script = parts.limits().lock(parts.connections().script(), one.slot);
        boolean asksFirst = optimism.expectsNews();
        List<LogRow> rows = asksFirst ? addNews(script, one) : List.of();
        GuardedStores.Guard guard = new GuardedStores.Guard(one.first, one.now, one.namespace);
        GuardedStores stores = new GuardedStores(
                script, guard, row, found -> one.done(found.getObject(1, UUID.class), found.getInt(2)));
        RowChange change = requireNonNull(one.change);
        ExpectedRow expected = one.expected;
        if (expected != null) {
            expected.change(script, guard, row, change);
        } else if (one.overwriting) {
            stores.overwrite(requireNonNull(change.after()));
        } else {
            stores.store(change);
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
        } else if (one.replaced) {
            lastRows.forget(one.key); // when it was created is not known
        } else {
            lastRows.committed(one.key, change.after());
        }
        if (asksFirst) {
            take(rows, one);
        } else {
            takeOrAsk(one);
        }
    }

    /** Takes the head as the only news if it is this node's place; otherwise others have committed since. */
    private void takeOrAsk(Lone one) {
        Following.Place place = parts.following().place(one.slot);
        boolean alone = place == null || place.batch().equals(one.before);
        optimism.found(!alone);
        if (!alone) {
            learn(one, () -> readNews(one, connection::run));
        } else if (place != null) {
            news.add(new LogRow(one.slot, place.seq(), place.batch(), Row.NEVER, false, null));
        }
    }

    /** Finds out why nothing was stored. */
    private void refused(Lone one, List<LogRow> news) throws SQLException {
        List<Long> head = new ArrayList<>();
        List<Integer> counted = new ArrayList<>();
        Script script = parts.connections().script();
        if (news.isEmpty()) {
            Script unused = Head.query(script, List.of(one.slot), found -> head.add(found.seq()));
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
        if (counted.isEmpty() && head.get(0) >= one.first) {
            optimism.overtaken();
        } else {
            optimism.beaten();
        }
    }

    /** Adds the query for the commits since this node's place, if it follows; they come in reverse. */
    private List<LogRow> addNews(Script script, Lone one) {
        List<LogRow> rows = new ArrayList<>();
        Following.Place place = parts.following().place(one.slot);
        if (place != null) {
            TreeMap<Integer, Following.Place> places = new TreeMap<>(Map.of(one.slot, place));
            Script unused = Head.since(script, places, parts.times().isFollowing(), row -> {
                if (rows.isEmpty()) {
                    parts.times().heard(Head.of(row).micros());
                }
                rows.add(LogRow.ofHead(row));
            });
        }
        return rows;
    }

    @Override
    public boolean hasStored() {
        return locked != null
                || lone == null
                || lone.expected == null
                || lone.expected.found().changed();
    }

    @Override
    public void ask() {
        Lone one = lone;
        if (one != null) {
            if (one.expected != null) {
                lastRows.forget(one.key);
                one.expected.ask(parts, requireNonNull(one.log), requireNonNull(one.change));
            }
            learn(one, () -> Insistence.ask(parts.limits(), () -> readNews(one, parts.connections()::read)));
        }
    }

    /** Learns what came before the commit. Throws nothing, because the commit is made. */
    private void learn(Lone one, Insistence.Question<List<LogRow>> question) {
        try {
            take(question.ask(), one);
        } catch (SQLException | RuntimeException e) {
            log.debug("What others have committed could not be read, so this node reports a gap", e);
        }
    }

    /** Reads the commits since this node's place, in reverse. */
    private List<LogRow> readNews(Lone one, Query query) throws SQLException {
        Script script = parts.connections().script();
        List<LogRow> rows = addNews(script, one);
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

    private void take(List<LogRow> rows, Lone one) {
        long own = requireNonNull(one.log).seq();
        Collections.reverse(rows);
        for (LogRow row : rows) {
            if (row.seq() < own) {
                news.add(row);
            } else if (row.batch().equals(batch) && row.changes() != null) {
                one.replaced = row.changes()[ChangeCodec.FIRST_KIND] == ChangeCodec.REPLACED;
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
