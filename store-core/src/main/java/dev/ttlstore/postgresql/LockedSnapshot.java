package dev.ttlstore.postgresql;

import dev.ttlstore.engine.EngineSnapshot;

/**
 * The view of a transaction that runs again after a conflict, and the commit in which it ends: it holds all slots from its beginning, so
 * nobody can come first again. Used by one thread.
 */
final class LockedSnapshot extends LockedCommit implements EngineSnapshot {

    private final Connections.Borrowed connection;
    private final Runnable closed;
    private boolean ended;

    LockedSnapshot(NodeContext node, Runnable closed) {
        this(node, node.connections().borrow(), closed);
    }

    private LockedSnapshot(NodeContext node, Connections.Borrowed connection, Runnable closed) {
        super(node, new LockedTransaction(node, connection));
        this.connection = connection;
        this.closed = closed;
        try {
            transaction().hold(node.slots().all());
            node.slots()
                    .all()
                    .forEach(transaction()::changed); // logs the time, by which the caller may see something expired
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    Connections.Borrowed connection() {
        return connection;
    }

    /** Notes that the commit was sent, whatever became of it. */
    void ended() {
        ended = true;
    }

    /** Logs the numbers that were handed out if the transaction was given up, because it may have shown them. */
    @Override
    public void close() {
        closed.run();
        connection.close(); // rolls back what was not committed
        if (!ended) {
            transaction().logNumbers();
        }
    }
}
