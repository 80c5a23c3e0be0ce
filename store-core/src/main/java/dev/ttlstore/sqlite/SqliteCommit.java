package dev.ttlstore.sqlite;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.RowCommit;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.engine.support.OwnerState;
import dev.ttlstore.engine.support.UsageLedger;

import static java.util.Objects.requireNonNull;

/** A commit in a file or in memory, in a transaction of the writer's session. Its statements touch no index whose columns stay as they are. */
final class SqliteCommit implements RowCommit {

    private static final String INSERT = """
            INSERT INTO entry (version, created_at, updated_at, value, checksum, grp, key, expires_at, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
            """;

    private static final String INSERT_AGED = """
            INSERT INTO entry (version, created_at, updated_at, value, checksum, grp, key, expires_at, due_at, aged_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?2)
            """;

    private static final String UPDATE = """
            UPDATE entry
               SET version = ?, created_at = ?, updated_at = ?, value = ?, checksum = ?
             WHERE grp = ? AND key = ?
            """;

    private static final String UPDATE_WITH_EXPIRY = """
            UPDATE entry
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, checksum = ?5, expires_at = ?8, due_at = ?8
             WHERE grp = ?6 AND key = ?7
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
               SET version = ?1, created_at = ?2, updated_at = ?3, value = ?4, checksum = ?5, expires_at = ?8
             WHERE grp = ?6 AND key = ?7 AND due_at BETWEEN ?9 AND ?8
            """;

    private static final String RESCHEDULE_UNMOVED = """
            UPDATE entry SET expires_at = ?3 WHERE grp = ?1 AND key = ?2 AND due_at BETWEEN ?4 AND ?3
            """;

    /** Moves a row whose creation has changed to its place in the age index. */
    private static final String MOVE_AGED = "UPDATE entry SET aged_at = created_at WHERE grp = ? AND key = ?";

    private static final String REMOVE = "DELETE FROM entry WHERE grp = ? AND key = ?";

    static final String REMOVE_GROUP = "DELETE FROM entry WHERE grp = ?";

    static final String MEND_RETAINED = """
            UPDATE OR REPLACE retained
               SET expires_at = ?1, updated_at = min(updated_at, ?1), created_at = min(created_at, ?1)
             WHERE (expires_at, grp, key, version) IN
                   (SELECT expires_at, grp, key, version FROM retained WHERE expires_at > ?2 LIMIT ?3)
            """;

    /** How many pages a row takes: one in the table, one in the index of names, and one in the expiry index. In an indexed group, a new row takes one in the age index, too. */
    private static final int PAGES_PER_ROW = 3;

    private static final int PAGE_SIZE = 4_096;

    /** Roughly how many bytes a row takes besides its name and value, in the table and both indexes. */
    private static final int BYTES_PER_ROW = 100;

    private final SqliteSession session;
    private final OwnerState owner;
    private final BooleanSupplier syncLog;
    private final UsageLedger.Changes usage;
    private final boolean usesReserve;
    private final int removalLimit;
    private final SqliteExpiry expiry;
    private @Nullable HighWater saved;
    private long pages;
    private long removed;
    private boolean growing;
    private long loadLimit = Long.MAX_VALUE;
    private boolean moving;

    /**
     * Begins one.
     *
     * @param syncLog brings to the disk what a commit does not; false if that has failed
     * @param usesReserve whether it may use the room of the reserve, because it runs again after the disk was found full
     * @param removalLimit how many rows it may remove
     */
    SqliteCommit(
            SqliteSession session, OwnerState owner, BooleanSupplier syncLog, boolean usesReserve, int removalLimit) {
        this.session = session;
        this.owner = owner;
        this.syncLog = syncLog;
        this.usage = owner.usage().changes();
        this.usesReserve = usesReserve;
        this.removalLimit = removalLimit;
        this.expiry = new SqliteExpiry(session);
    }

    /**
     * Runs the work of the transaction and commits it.
     *
     * @param work the work
     * @param beforeCommit checks what the work has done, and may refuse it
     */
    <R extends @Nullable Object> R commit(Function<SqliteCommit, R> work, Runnable beforeCommit) {
        boolean[] ended = {false};
        boolean committed = false;
        try {
            R answer = session.inTransaction(() -> {
                R worked = work.apply(this);
                save(owner.due(pages() > 0));
                beforeCommit.run();
                ended[0] = true;
                return worked;
            });
            noteSaved();
            usage.committed();
            committed = true;
            return answer;
        } finally {
            if (ended[0] && !committed) {
                owner.usage().reset(); // the commit may have been made
            }
        }
    }

    /**
     * Numbers count as set aside once that is on the disk: after a power failure they would be used again. Otherwise the next commit
     * sets them aside once more.
     */
    private void noteSaved() {
        HighWater state = saved;
        if (state != null && (!owner.setsAside(state) || syncLog.getAsBoolean())) {
            owner.saved(state);
        }
    }

    /** Saves how far the store has come, with the commit. */
    void save(@Nullable HighWater state) {
        if (state != null) {
            saved = state;
            SequenceRow.save(session, state);
        }
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        return new Loaded(
                keys.size() == 1 ? one(keys.iterator().next()) : session.reads().read(keys, loadLimit),
                usage(namespaces));
    }

    @Override
    public void limitLoad(long bytes) {
        loadLimit = bytes;
    }

    /** Loads a row, as most commits do. */
    private Map<RowKey, Row> one(RowKey key) {
        Row row = reads().get(key, Reads.ALL);
        return row == null ? Map.of() : Map.of(key, row);
    }

    private Map<String, NamespaceUsage> usage(Collection<String> namespaces) {
        if (namespaces.isEmpty()) {
            return Map.of();
        }
        Map<String, NamespaceUsage> found = new HashMap<>();
        for (String namespace : namespaces) {
            found.put(
                    namespace,
                    pages() == 0
                            ? owner.usage().of(namespace, session.reads()::usage)
                            // The ledger must not keep what was written already, but may be rolled back.
                            : NamespaceUsage.of(session.reads().usage(Namespaces.groups(namespace))));
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

    /** Tests whether the work, which runs again, may use the room of the reserve. */
    boolean usesReserve() {
        return usesReserve;
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
        return moving || expiry.movesRows();
    }

    /** Returns roughly how many pages the transaction has written so far. */
    long pages() {
        return pages + expiry.pages();
    }

    @Override
    public Reads reads() {
        return session.reads();
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        if (!writes.rows().isEmpty()) {
            store(writes.rows());
        }
        return !writes.expired().isEmpty() && expiry.keep(writes.expired(), retained);
    }

    /** Stores rows. */
    void store(Collection<RowChange> changes) {
        growing |= grow(changes); // first, because a full disk may end this half-way
        for (RowChange change : changes) {
            boolean indexed = store(change);
            usage.add(change);
            Row after = change.after();
            removed += after == null ? 1 : 0;
            pages += PAGES_PER_ROW + (indexed ? 1 : 0) + (after == null ? 0 : after.storedValue().length / PAGE_SIZE);
        }
    }

    /**
     * Stores a change.
     *
     * @return whether the row is a new one in the age index
     */
    private boolean store(RowChange change) {
        Row before = change.before();
        Row after = change.after();
        if (before == null) {
            return insert(requireNonNull(after));
        } else if (after == null) {
            session.bind(REMOVE).name(before.key()).update();
        } else if (change.isRenewal()) {
            reschedule(before, after);
        } else {
            update(before, after);
            if (before.createdAt() != after.createdAt()
                    && session.agedGroups().contains(after.key().group())) {
                session.bind(MOVE_AGED).name(after.key()).update();
            }
        }
        return false;
    }

    private boolean insert(Row row) {
        boolean aged = session.agedGroups().contains(row.key().group());
        write(aged ? INSERT_AGED : INSERT, row);
        return aged;
    }

    /** Updates a row. Leaves out an unchanged expiry, so that its index is not touched. */
    private void update(Row before, Row after) {
        if (before.expiresAt() == after.expiresAt()) {
            bind(UPDATE, after).update();
        } else if (!isRenewal(before, after) || !keepsPlace(bind(UPDATE_UNMOVED, after), after)) {
            write(UPDATE_WITH_EXPIRY, after);
        }
    }

    /**
     * Tests whether a row may keep its place in the expiry index. The statement checks that it does not lag too far
     * behind.
     */
    private static boolean isRenewal(Row before, Row after) {
        return after.expiresAt() > before.expiresAt() && after.expiresAt() != Row.NEVER;
    }

    private static boolean keepsPlace(SqliteStatement statement, Row row) {
        return statement
                        .number(row.expiresAt())
                        .number(Layouts.firstDue(row.expiresAt()))
                        .update()
                > 0;
    }

    private void write(String sql, Row row) {
        bind(sql, row).time(row.expiresAt()).update();
    }

    private SqliteStatement bind(String sql, Row row) {
        return session.bind(sql).row(row, session.reads().checksum());
    }

    private void reschedule(Row before, Row after) {
        if (!isRenewal(before, after)
                || !keepsPlace(session.bind(RESCHEDULE_UNMOVED).name(after.key()), after)) {
            session.bind(RESCHEDULE).name(after.key()).time(after.expiresAt()).update();
        }
    }

    /** Tests whether the changes write values, and remove no more than they write. */
    private static boolean grow(Collection<RowChange> changes) {
        long growth = 0;
        boolean writing = false;
        for (RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            growth += (long) BYTES_PER_ROW * change.addedRows() + change.addedBytes();
            writing |= after != null && (before == null || before.storedValue() != after.storedValue());
        }
        return writing && growth >= 0;
    }

    /** Returns the session, to change many rows at once, as a copy and the age index do. That needs room. */
    SqliteSession forManyRows() {
        growing = true;
        moving = true;
        return session;
    }

    @Override
    public DeliveryTable deliveries() {
        moving = true;
        return new SqliteDeliveryTable(session);
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained) {
        boolean listed = budget.listed() || !owner.usage().isEmpty();
        PurgeResult purged = expiry.purge(
                groups, now, new PurgeBudget(budget.rows(), budget.goOn(), listed), retained, removalLimit);
        usage.removed(purged.removed());
        removed += purged.count();
        return purged;
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        int forgotten = expiry.forget(groups, until, limit);
        removed += forgotten;
        return forgotten;
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        int mended = session.bind(MEND_RETAINED)
                .number(to)
                .number(after)
                .number(limit)
                .update();
        pages += mended;
        return mended;
    }

    @Override
    public long removeGroup(String group) {
        int rows = session.bind(REMOVE_GROUP).text(group).update();
        usage.removed(group);
        pages += rows;
        return rows;
    }
}
