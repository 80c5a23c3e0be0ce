package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.JoinableTransaction;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.ApplicationTransaction;

/** A transaction of the application in which the store takes part. Used by the thread that is in it. */
final class EnlistedTransaction implements JoinableTransaction, Snapshot.EnclosingTransaction {

    private static final String MODE =
            "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')::boolean";

    private static final Set<String> TOO_ISOLATED = Set.of("repeatable read", "serializable");

    /** How often a transaction that cannot lock looks whether another one has ended. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final NodeContext node;
    private final Coordination nodes;
    private final TransactionJoiner joiner;
    private final ApplicationTransaction transaction;

    /** Whose writes outside the transaction would wait for it. Another thread may end it. */
    private final Thread thread = Thread.currentThread();

    /** What it has added to the log, write by write. */
    private final List<List<LogRow>> written = new ArrayList<>();

    /** What of it was rolled back to a savepoint. */
    private final List<LogRow> undone = new ArrayList<>();

    private final Map<Integer, Long> settled = new HashMap<>();
    private Connections.@Nullable Borrowed connection;

    /**
     * Takes part in a transaction.
     *
     * @param node what all commits share
     * @param nodes learns of what was committed and shown
     * @param joiner learns whether this transaction has locked slots, and has the numbers of writes until the commit
     * @param transaction the transaction
     */
    EnlistedTransaction(
            NodeContext node, Coordination nodes, TransactionJoiner joiner, ApplicationTransaction transaction) {
        this.node = node;
        this.nodes = nodes;
        this.joiner = joiner;
        this.transaction = transaction;
    }

    @Override
    public Connections.Borrowed connection() {
        Connections.Borrowed lent = connection;
        if (lent == null) {
            lent = node.connections().of(transaction);
            connection = lent;
        }
        return lent;
    }

    /** Adds the check that the store can take part. */
    @Override
    public Script begin(Script script) {
        return script.query(MODE, row -> {
            if (TOO_ISOLATED.contains(row.getString(1)) && !row.getBoolean(2) && !isReadOnly()) {
                throw new StoreException(
                        "The store cannot take part in a transaction with the isolation "
                                + row.getString(1).toUpperCase(Locale.ROOT)
                                + ", because it would not see what others have committed before it locks",
                        "Begin the transaction with READ COMMITTED, or use the store before or after it, or store.outsideTransaction()",
                        null);
            }
        });
    }

    /**
     * Waits for the commit that may be under way in a slot and renew what the transaction is about to see as expired. No later one
     * can, because its time is later. Does without a second connection, which a pool that is full of transactions would not
     * have. The time is logged soon after, in case the clock steps back.
     */
    @Override
    public void settle(ReadSet.SeenSlot seen, long time) {
        int slot = seen.slot();
        boolean distributed = node.isDistributed();
        if (settled.getOrDefault(slot, Long.MIN_VALUE) >= time || (distributed && isReadOnly())) {
            return; // such a transaction can neither lock rows there nor see who has locked them
        }
        try {
            if (distributed) {
                lockForAMoment(script -> LogHead.lock(script, slot));
            } else {
                awaitHolder(slot);
            }
        } catch (SQLException e) {
            throw translate(e);
        }
        settled.put(slot, time);
        nodes.follower().shown(slot, time);
    }

    /** Waits for who has locked a slot now: by the lock, so that the server sees deadlocks, unless this transaction cannot lock rows. */
    private void awaitHolder(int slot) throws SQLException {
        if (script().hasEarlierNodes()) {
            lockForAMoment(script -> LogHead.lockAsBefore(script, List.of(slot)));
        }
        List<String> holder = new ArrayList<>(1);
        List<Boolean> readOnly = new ArrayList<>(1);
        connection()
                .run(LogHead.holder(script(), slot, holder::add).query(MODE, row -> readOnly.add(row.getBoolean(2))));
        if (holder.isEmpty()) {
            return;
        }
        if (!readOnly.contains(true)) {
            lockForAMoment(script -> LogHead.lock(script, slot));
            return;
        }
        long end = System.nanoTime() + node.timeouts().lock().toNanos();
        boolean interrupted = false;
        try {
            List<String> now = holder;
            while (now.equals(holder)) {
                if (System.nanoTime() - end >= 0) {
                    throw new SQLException("The transaction that has locked the slot goes on", Errors.TIMED_OUT);
                }
                LockSupport.parkNanos(LOOK_NANOS);
                interrupted |= Thread.interrupted(); // a thread whose interrupt status is set does not wait
                now = new ArrayList<>(1);
                connection().run(LogHead.holder(script(), slot, now::add));
            }
        } finally {
            Deadline.restoreInterrupt(interrupted);
        }
    }

    /** Takes a lock, and gives it back at once. */
    private void lockForAMoment(UnaryOperator<Script> lock) throws SQLException {
        Script script = lock.apply(node.timeouts().lockTimeout(script().add("SAVEPOINT ttl_store_look")));
        connection().run(script.add("ROLLBACK TO SAVEPOINT ttl_store_look").add("RELEASE SAVEPOINT ttl_store_look"));
    }

    private Script script() {
        return node.connections().script();
    }

    /** Translates what went wrong outside of {@link #apply}, where nobody decides again after a conflict. */
    @Override
    public RuntimeException translate(SQLException e) {
        RuntimeException translated = Errors.translate(e);
        return translated instanceof ConflictException
                ? new TransactionConflictException("PostgreSQL has preferred another transaction", translated)
                : translated;
    }

    @Override
    public boolean seesLaterCommits() {
        return true;
    }

    @Override
    public long nextNumber(ReadSet.SeenSlot slot) {
        return joiner.nextNumber();
    }

    @Override
    public boolean isReadOnly() {
        return transaction.isReadOnly();
    }

    @Override
    public EngineSnapshot snapshot() {
        return new Snapshot(node, this);
    }

    @Override
    public Committed apply(Batch batch) {
        LockedCommit commit = new LockedCommit(node, new LockedTransaction(node, connection()));
        Committed done = new RowBatch(batch, CommitObserver.NONE).run(commit);
        List<LogRow> rows = commit.prepare().own();
        if (!rows.isEmpty()) {
            joiner.locked(this);
            try {
                commit.transaction().send();
            } catch (SQLException e) {
                throw Errors.translate(e);
            }
        }
        written.add(rows);
        rows.forEach(row -> settled.put(row.slot(), Long.MAX_VALUE)); // they are locked
        return done;
    }

    /** Tests whether the present thread is in it. Only then may it be asked for what it {@linkplain #hasLocked has locked}. */
    boolean isOfThisThread() {
        return thread == Thread.currentThread();
    }

    /** Tests whether it has locked a slot. */
    boolean hasLocked(int slot) {
        return written.stream().flatMap(List::stream).anyMatch(row -> row.slot() == slot);
    }

    @Override
    public void rolledBack(int writes) {
        List<List<LogRow>> gone = written.subList(writes, written.size());
        gone.forEach(undone::addAll);
        gone.clear();
        settled.clear(); // the savepoint may have released the locks
    }

    @Override
    public void ended(boolean committed) {
        joiner.unlocked(this);
        List<LogRow> rows = written.stream().flatMap(List::stream).toList();
        if (!committed) {
            undone.addAll(rows);
        } else if (!rows.isEmpty()) {
            nodes.committedOutside(rows);
        }
        undone.forEach(row -> nodes.follower().used(row.slot(), row.seq()));
    }
}
