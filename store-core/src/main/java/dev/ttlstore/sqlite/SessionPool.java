package dev.ttlstore.sqlite;

import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.StoreClosedException;

/** Sessions that are used by one thread at a time, opened when they are first needed. */
final class SessionPool implements AutoCloseable {

    private final int size;
    private final Supplier<SqliteSession> opener;
    private final Semaphore permits;
    /** Last in, first out: the session used last has the warmest page cache. */
    private final Deque<SqliteSession> free = new ConcurrentLinkedDeque<>();

    private volatile boolean closed;

    SessionPool(int size, Supplier<SqliteSession> opener) {
        this.size = size;
        this.opener = opener;
        this.permits = new Semaphore(size);
    }

    /** A pool of one session, which is open already, and closed with the pool though nobody has asked for it. */
    SessionPool(SqliteSession only) {
        this(1, () -> only);
        free.push(only);
    }

    /** Work with a session that is lent for it. */
    interface Work<R extends @Nullable Object> {
        R run(SqliteSession session) throws SQLException;
    }

    /** Lends a session, waiting for one to come free; what SQLite throws is translated. */
    <R extends @Nullable Object> R with(Work<R> work) {
        permits.acquireUninterruptibly();
        try {
            if (closed) {
                throw new StoreClosedException();
            }
            SqliteSession session = free.poll();
            if (session == null) {
                session = opener.get();
            }
            try {
                return work.run(session);
            } catch (SQLException e) {
                throw session.failed(e);
            } finally {
                free.push(session);
            }
        } finally {
            permits.release();
        }
    }

    /** Waits for the sessions that are lent and closes all; from then on there are none to be had. */
    @Override
    public void close() {
        closed = true;
        permits.acquireUninterruptibly(size);
        try {
            for (SqliteSession session = free.poll(); session != null; session = free.poll()) {
                session.close();
            }
        } finally {
            permits.release(size);
        }
    }
}
