package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.OuterTransaction;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.ApplicationTransaction;

/** A transaction of the application in which the store takes part. Used by the thread that is in it. */
final class Join implements OuterTransaction {

    private static final String MODE =
            "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')::boolean";

    private static final Set<String> TOO_ISOLATED = Set.of("repeatable read", "serializable");

    private final Joins all;
    private final ApplicationTransaction transaction;
    private final List<List<LogRow>> written = new ArrayList<>();
    private final List<LogRow> undone = new ArrayList<>();
    private final Map<Integer, Long> settled = new HashMap<>();
    private Connections.@Nullable Borrowed connection;

    Join(Joins all, ApplicationTransaction transaction) {
        this.all = all;
        this.transaction = transaction;
    }

    /** Returns the connection of the transaction. */
    Connections.Borrowed connection() {
        Connections.Borrowed lent = connection;
        if (lent == null) {
            lent = all.parts().connections().of(transaction);
            connection = lent;
        }
        return lent;
    }

    /** Adds the check that the store can take part. */
    Script check(Script script) {
        return script.query(MODE, row -> {
            if (TOO_ISOLATED.contains(row.getString(1)) && !row.getBoolean(2) && !isReadOnly()) {
                throw new StoreException(
                        "The store cannot take part in a transaction with the isolation "
                                + row.getString(1).toUpperCase(Locale.ROOT)
                                + ", because it would not see what others have committed before it locks",
                        "Begin the transaction with READ COMMITTED, or write to the store before or after it",
                        null);
            }
        });
    }

    /**
     * Waits for the commit that may be under way in a slot and renew what the transaction is about to see as expired. No later one
     * can, because its time is later. Does without a second connection, which a pool that is full of transactions would not
     * have: the lock ends with a savepoint. The time is logged soon after, in case the clock steps back.
     */
    void settle(int slot, long time) {
        if (settled.getOrDefault(slot, Long.MIN_VALUE) >= time
                || (isReadOnly() && all.parts().isDistributed())) {
            return; // such a transaction could not lock rows
        }
        Script script = Head.lock(
                all.parts()
                        .limits()
                        .lockTimeout(all.parts().connections().script().add("SAVEPOINT ttl_store_look")),
                slot);
        script.add("ROLLBACK TO SAVEPOINT ttl_store_look").add("RELEASE SAVEPOINT ttl_store_look");
        try {
            connection().run(script);
        } catch (SQLException e) {
            throw translate(e);
        }
        settled.put(slot, time);
        all.shown(slot, time);
    }

    /** Translates what went wrong outside of {@link #write}, where nobody decides again after a conflict. */
    static RuntimeException translate(SQLException e) {
        RuntimeException translated = Errors.translate(e);
        return translated instanceof ConflictException
                ? new TransactionConflictException("PostgreSQL has preferred another transaction", translated)
                : translated;
    }

    long provisionalNumber() {
        return all.provisionalNumber();
    }

    @Override
    public boolean isReadOnly() {
        return transaction.isReadOnly();
    }

    @Override
    public EngineSnapshot snapshot() {
        return new Snapshot(all.parts(), all.looks(), this);
    }

    @Override
    public void write(Consumer<EngineTransaction> work) {
        Commit commit = new Commit(all.parts(), connection(), true);
        work.accept(commit);
        Sent sent = commit.prepare();
        List<LogRow> rows = sent == null ? List.of() : sent.rows();
        if (!rows.isEmpty()) {
            try {
                commit.send();
            } catch (SQLException e) {
                throw Errors.translate(e);
            }
        }
        written.add(rows);
        rows.forEach(row -> settled.put(row.slot(), Long.MAX_VALUE)); // they are locked
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
        List<LogRow> rows = written.stream().flatMap(List::stream).toList();
        if (!committed) {
            undone.addAll(rows);
        } else if (!rows.isEmpty()) {
            all.committed(rows);
        }
        undone.forEach(row -> all.used(row.slot(), row.seq()));
    }
}
