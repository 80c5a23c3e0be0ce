package dev.ttlstore.postgresql;

import java.util.Collection;

import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RowKey;

/**
 * The view of a transaction that runs again after a conflict: it holds all slots from its beginning to its commit, so nobody can
 * come first again. Used by one thread.
 */
final class LockedSnapshot implements ReadSet.Reader {

    private final NodeParts parts;
    private final Connections.Borrowed connection;
    private final LockedTransaction transaction;
    private final LockedCommit commit;
    private final Runnable closed;
    private boolean ended;

    LockedSnapshot(NodeParts parts, Runnable closed) {
        this.parts = parts;
        this.closed = closed;
        this.connection = parts.connections().borrow();
        this.transaction = new LockedTransaction(parts, connection);
        this.commit = new LockedCommit(parts, transaction);
        try {
            transaction.hold(parts.slots().all());
            parts.slots()
                    .all()
                    .forEach(transaction::changed); // logs the time, by which the caller may see something expired
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** The commit in which the transaction ends. */
    LockedCommit commit() {
        return commit;
    }

    Connections.Borrowed connection() {
        return connection;
    }

    /** Notes that the commit was sent, whatever became of it. */
    void ended() {
        ended = true;
    }

    /** Returns nothing, because nobody else could write. */
    @Override
    public ReadSet readSet() {
        return new ReadSet(parts.slots());
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        return commit.load(keys, namespaces);
    }

    @Override
    public Reads reads() {
        return commit.reads();
    }

    @Override
    public long now() {
        return commit.now();
    }

    @Override
    public long nextSequence(String group) {
        return transaction.nextId(parts.slots().of(group));
    }

    /** Logs the numbers that were handed out if the transaction was given up, because it may have shown them. */
    @Override
    public void close() {
        closed.run();
        connection.close(); // rolls back what was not committed
        if (!ended) {
            transaction.logNumbers();
        }
    }
}
