package dev.ttlstore.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Loaded;
import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.engine.support.OwnerState;
import dev.ttlstore.engine.support.StoreState;
import dev.ttlstore.engine.support.UsageLedger;

import static java.util.Objects.requireNonNull;

/** The write statements. The session is in a transaction already. */
final class SqliteTransaction implements EngineTransaction {

    private static final String INSERT = """
            INSERT INTO entry (version, created_at, updated_at, value, grp, key, expires_at, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
            """;

    private static final String UPDATE = """
            UPDATE entry
               SET version = ?, created_at = ?, updated_at = ?, value = ?
             WHERE grp = ? AND key = ?
            """;

    private static final String UPDATE_WITH_EXPIRY = """
            UPDATE entry
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, expires_at = ?7, due_at = ?7
             WHERE grp = ?5 AND key = ?6
            """;

    private static final String RESCHEDULE = """
            UPDATE entry SET expires_at = ?3, due_at = ?3 WHERE grp = ?1 AND key = ?2
            """;

    /**
     * Changes a row that may keep its place in the expiry index. The statement does not set the column of the index,
     * so SQLite leaves the index unchanged.
     */
    private static final String UPDATE_UNMOVED = """
            UPDATE entry
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, expires_at = ?7
             WHERE grp = ?5 AND key = ?6 AND due_at BETWEEN ?8 AND ?7
            """;

    private static final String RESCHEDULE_UNMOVED = """
            UPDATE entry SET expires_at = ?3 WHERE grp = ?1 AND key = ?2 AND due_at BETWEEN ?4 AND ?3
            """;

    private static final String REMOVE = "DELETE FROM entry WHERE grp = ? AND key = ?";

    /** The due rows. They are removed, or moved to their place in the index if they were renewed meanwhile. */
    private static final String DUE_ROWS = """
            (SELECT id FROM entry
              WHERE due_at <= ?1 AND grp >= ?2 AND grp < ?3
              ORDER BY due_at, grp, key
              LIMIT ?4)
            """;

    static final String REMOVE_EXPIRED = """
            DELETE FROM entry
             WHERE id IN %s AND due_at = expires_at
            RETURNING grp, key, version, expires_at, octet_length(key) + octet_length(value)
            """.formatted(DUE_ROWS);

    static final String RETAIN_EXPIRED = """
            INSERT OR REPLACE INTO retained (grp, key, value, version, created_at, updated_at, expires_at)
            SELECT grp, key, value, version, created_at, updated_at, expires_at
              FROM entry
             WHERE id IN %s AND due_at = expires_at
            """.formatted(DUE_ROWS);

    /** Records deliveries without reading the values; {@link DeliveryLines#inserted} decides about their order. */
    static final String DELIVER_EXPIRED = """
            INSERT INTO delivery (subscriber, grp, key, value, version, expires_at, attempts, next_at)
            SELECT ?5, grp, key, value, version, expires_at, 0, expires_at
              FROM entry
             WHERE id IN %s AND due_at = expires_at AND grp >= ?6 AND grp < ?7
             ORDER BY expires_at
            """.formatted(DUE_ROWS);

    static final String MOVE_RENEWED = """
            UPDATE entry SET due_at = expires_at WHERE id IN %s AND due_at < expires_at
            """.formatted(DUE_ROWS);

    private static final String RETAIN = """
            INSERT OR REPLACE INTO retained (version, created_at, updated_at, value, grp, key, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    static final String FORGET = """
            DELETE FROM retained
             WHERE (expires_at, grp, key, version) IN
                   (SELECT expires_at, grp, key, version FROM retained
                     WHERE expires_at <= ? AND grp >= ? AND grp < ?
                     LIMIT ?)
            """;

    static final String REMOVE_GROUP = "DELETE FROM entry WHERE grp = ?";

    private static final String SAVE = "UPDATE mark SET sequence = ?, time = ?";

    /** How many expired rows are removed before a purge checks for waiting writers. */
    private static final int PURGE_STEP = 64;

    /** How many pages a row takes: one in the table, one in the index of names, and one in the expiry index. */
    private static final int PAGES_PER_ROW = 3;

    private static final int PAGE_SIZE = 4_096;

    /** Roughly how many bytes a row takes besides its name and value, in the table and both indexes. */
    private static final int BYTES_PER_ROW = 100;

    private final SqliteSession session;
    private final OwnerState owner;
    private final UsageLedger.Changes usage;
    private final boolean repeated;
    private final int removalLimit;
    private @Nullable StoreState saved;

    /** Whether the current purge has recorded a delivery. */
    private boolean recorded;

    /** What to keep of expired rows: the rows themselves, and deliveries for subscribers. */
    private record PurgeOptions(boolean retain, List<Subscriber> subscribers) {}

    private long pages;
    private long removed;
    private boolean growing;
    private boolean moving;

    SqliteTransaction(SqliteSession session, OwnerState owner) {
        this(session, owner, false, Integer.MAX_VALUE);
    }

    SqliteTransaction(SqliteSession session, OwnerState owner, boolean repeated, int removalLimit) {
        this.session = session;
        this.owner = owner;
        this.usage = owner.usage().changes();
        this.repeated = repeated;
        this.removalLimit = removalLimit;
    }

    /**
     * Runs the work of the transaction and commits it.
     *
     * @param work the work
     * @param beforeCommit checks what the work has done, and may refuse it
     */
    <R extends @Nullable Object> R commit(Function<EngineTransaction, R> work, Runnable beforeCommit) {
        boolean[] ended = {false};
        boolean committed = false;
        try {
            R answer = session.inTransaction(() -> {
                R worked = work.apply(this);
                save(owner.due(pages > 0));
                beforeCommit.run();
                ended[0] = true;
                return worked;
            });
            if (saved != null) {
                owner.saved(saved);
            }
            usage.committed();
            committed = true;
            return answer;
        } finally {
            if (ended[0] && !committed) {
                owner.usage().reset(); // the commit may have been made
            }
        }
    }

    /** Saves how far the store has come, with the commit. */
    void save(@Nullable StoreState state) {
        if (state != null) {
            saved = state;
            session.call(() -> session.bind(SAVE)
                    .number(state.sequence())
                    .number(state.time())
                    .update());
        }
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        return new Loaded(reads().read(keys), usage(namespaces));
    }

    private Map<String, NamespaceUsage> usage(Collection<String> namespaces) {
        if (namespaces.isEmpty()) {
            return Map.of();
        }
        Map<String, NamespaceUsage> found = new HashMap<>();
        for (String namespace : namespaces) {
            found.put(
                    namespace,
                    pages == 0 ? owner.usage().of(namespace, reads()) : UsageLedger.once(namespace, reads()));
        }
        return found;
    }

    @Override
    public long now() {
        return owner.clock().now();
    }

    @Override
    public long nextSequence(String group) {
        return owner.next();
    }

    /** Does nothing: no other process has written since the snapshot was taken. */
    @Override
    public void validate(EngineSnapshot snapshot) {}

    /** Not called: no other process reads the data. */
    @Override
    public void log(List<LoggedChange> changes) {
        throw new UnsupportedOperationException("One process owns the file, so there is nobody to tell");
    }

    @Override
    public boolean isRepeated() {
        return repeated;
    }

    @Override
    public int removalLimit() {
        return removalLimit;
    }

    /** Tests whether the transaction has removed as many rows as allowed, and might have removed more. */
    boolean isAtRemovalLimit() {
        return removed >= removalLimit;
    }

    /** Tests whether the rows stored so far leave no more data in the file than before. */
    boolean freesRoom() {
        return !growing;
    }

    /** Tests whether the transaction writes rows to another table, which may take more pages than are counted. */
    boolean movesRows() {
        return moving;
    }

    /** Returns roughly how many pages the transaction has written so far. */
    long pages() {
        return pages;
    }

    @Override
    public EngineReads reads() {
        return session.reads();
    }

    @Override
    public void store(Collection<RowChange> changes) {
        growing |= grow(changes); // first, because a full disk may end this half-way
        session.call(() -> {
            for (RowChange change : changes) {
                store(change);
                usage.add(change);
                Row after = change.after();
                pages += PAGES_PER_ROW + (after == null ? 0 : after.value().length / PAGE_SIZE);
            }
            return true;
        });
    }

    /** Tests whether the changes write values, and remove no more than they write. */
    private static boolean grow(Collection<RowChange> changes) {
        long growth = 0;
        boolean writing = false;
        for (RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            growth += bytes(after) - bytes(before);
            writing |= after != null && (before == null || before.value() != after.value());
        }
        return writing && growth >= 0;
    }

    private static long bytes(@Nullable Row row) {
        return row == null ? 0 : BYTES_PER_ROW + row.bytes();
    }

    private void store(RowChange change) throws SQLException {
        Row before = change.before();
        Row after = change.after();
        if (before == null) {
            insert(INSERT, requireNonNull(after));
        } else if (after == null) {
            remove(before.key());
            removed++;
        } else if (before.value() == after.value() && before.version() == after.version()) {
            reschedule(before, after);
        } else {
            update(before, after);
        }
    }

    /** Updates a row. Leaves out an unchanged expiry, so that its index is not touched. */
    private void update(Row before, Row after) throws SQLException {
        if (before.expiresAt() == after.expiresAt()) {
            bind(UPDATE, after).update();
        } else if (!isRenewal(before, after) || !updateUnmoved(after)) {
            insert(UPDATE_WITH_EXPIRY, after);
        }
    }

    /**
     * Tests whether a row may keep its place in the expiry index. The statement checks that it does not lag too far
     * behind.
     */
    private static boolean isRenewal(Row before, Row after) {
        return after.expiresAt() > before.expiresAt() && after.expiresAt() != Row.NEVER;
    }

    private boolean updateUnmoved(Row row) throws SQLException {
        return bind(UPDATE_UNMOVED, row)
                        .number(row.expiresAt())
                        .number(Layouts.firstDue(row.expiresAt()))
                        .update()
                > 0;
    }

    @Override
    public boolean expired(Collection<Row> rows, boolean retain) {
        if (retain) {
            retain(rows);
        }
        boolean recorded = false;
        for (Subscriber subscriber : session.deliveries().subscribers()) {
            List<Row> ofSubscriber = rows.stream()
                    .filter(row -> subscriber.groups().contains(row.key().group()))
                    .toList();
            if (!ofSubscriber.isEmpty()) {
                deliveries().record(subscriber.name(), ofSubscriber);
                recorded = true;
            }
        }
        return recorded;
    }

    private void retain(Collection<Row> rows) {
        moving = true;
        session.call(() -> {
            for (Row row : rows) {
                insert(RETAIN, row);
            }
            return true;
        });
    }

    private void insert(String sql, Row row) throws SQLException {
        bind(sql, row).time(row.expiresAt()).update();
    }

    /** Binds version, creation, update, value, group and key, in this order. */
    private Bound bind(String sql, Row row) throws SQLException {
        return session.bind(sql)
                .number(row.version())
                .number(row.createdAt())
                .number(row.updatedAt())
                .bytes(row.value())
                .name(row.key());
    }

    private void reschedule(Row before, Row after) throws SQLException {
        if (!isRenewal(before, after) || !rescheduleUnmoved(after)) {
            session.bind(RESCHEDULE).name(after.key()).time(after.expiresAt()).update();
        }
    }

    private boolean rescheduleUnmoved(Row row) throws SQLException {
        return session.bind(RESCHEDULE_UNMOVED)
                        .name(row.key())
                        .number(row.expiresAt())
                        .number(Layouts.firstDue(row.expiresAt()))
                        .update()
                > 0;
    }

    private void remove(RowKey key) throws SQLException {
        session.bind(REMOVE).name(key).update();
    }

    @Override
    public DeliveryWrites deliveries() {
        moving = true;
        return new DeliveryLines(new SqliteDeliveryTable(session));
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, boolean retain) {
        PurgeOptions options = new PurgeOptions(retain, session.deliveries().subscribers());
        moving |= retain || !options.subscribers().isEmpty();
        recorded = false;
        return session.call(() -> {
            List<ExpiryRow> gone = new ArrayList<>();
            boolean more;
            do {
                more = removeSome(groups, now, step(budget.rows() - gone.size()), options, gone);
                // Where room is scarce, one step is all that fits: rows that it moves take room too.
            } while (more
                    && removalLimit == Integer.MAX_VALUE
                    && gone.size() < budget.rows()
                    && budget.goOn().getAsBoolean());
            return new PurgeResult(gone, more, recorded);
        });
    }

    /** A purge without a limit is one step, because each step passes the expired rows of other groups again. */
    private int step(int rows) {
        return Math.min(rows == Integer.MAX_VALUE ? rows : Math.min(rows, PURGE_STEP), removalLimit);
    }

    /** Removes a step of rows, and returns whether there may be more. */
    private boolean removeSome(GroupRange groups, long now, int limit, PurgeOptions options, List<ExpiryRow> gone)
            throws SQLException {
        List<ExpiryRow> some = new ArrayList<>(removeDue(groups, now, limit, options));
        boolean more = some.size() == limit;
        if (!more && moveRenewed(groups, now, limit) > 0) {
            // Some of the moved rows have expired as well, and come before rows that were removed in their place.
            some.addAll(removeDue(groups, now, limit - some.size(), options));
            more = true;
        }
        usage.removed(some);
        some.sort(Comparator.comparingLong(ExpiryRow::expiresAt)); // SQLite returns them in no particular order
        pages += some.size();
        removed += some.size();
        gone.addAll(some);
        return more;
    }

    private List<ExpiryRow> removeDue(GroupRange groups, long now, int limit, PurgeOptions options)
            throws SQLException {
        if (options.retain()) {
            bindDue(RETAIN_EXPIRED, groups, now, limit).update();
        }
        if (!options.subscribers().isEmpty()) {
            SqliteDeliveryTable table = new SqliteDeliveryTable(session);
            long before = table.lastId();
            for (Subscriber subscriber : options.subscribers()) {
                int deliveries = bindDue(DELIVER_EXPIRED, groups, now, limit)
                        .text(subscriber.name())
                        .range(subscriber.groups())
                        .update();
                pages += deliveries;
                recorded |= deliveries > 0;
            }
            new DeliveryLines(table).inserted(before);
        }
        return bindDue(REMOVE_EXPIRED, groups, now, limit).list(Columns::expiryRow);
    }

    private int moveRenewed(GroupRange groups, long now, int limit) throws SQLException {
        int moved = bindDue(MOVE_RENEWED, groups, now, limit).update();
        pages += moved;
        return moved;
    }

    private Bound bindDue(String sql, GroupRange groups, long now, int limit) throws SQLException {
        return session.bind(sql).number(now).range(groups).number(limit);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        return session.call(() -> {
            int forgotten = bindDue(FORGET, groups, until, limit).update();
            pages += forgotten;
            removed += forgotten;
            return forgotten;
        });
    }

    @Override
    public long removeGroup(String group) {
        return session.call(() -> {
            int rows = session.bind(REMOVE_GROUP).text(group).update();
            usage.removed(group);
            pages += rows;
            return (long) rows;
        });
    }
}
