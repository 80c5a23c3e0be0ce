package dev.ttlstore.sqlite;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

/**
 * Sessions that are used by one thread at a time, opened when they are first needed.
 *
 * <p>A session is given back by writing a field, which needs neither stack nor memory, so no error in a caller's thread can
 * keep it. What such an error can swallow is the signal to a thread that waits; so those look for themselves now and then.
 */
final class SessionPool implements AutoCloseable {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long CLOSING_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The first ones are used most, which keeps their page caches warm. */
    private final Place[] places;

    private final Supplier<SqliteSession> opener;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Semaphore freed = new Semaphore(0);
    private volatile boolean closed;

    SessionPool(int size, Supplier<SqliteSession> opener) {
        this.opener = opener;
        this.places = new Place[size];
        for (int i = 0; i < size; i++) {
            places[i] = new Place();
        }
    }

    /** A pool of one session, which is open already, and closed with the pool though nobody has asked for it. */
    SessionPool(SqliteSession only) {
        this(1, () -> only);
        places[0].session = only;
    }

    /** Room for one session, held by the thread that has set its flag. */
    private static final class Place {

        private static final AtomicIntegerFieldUpdater<Place> LENT =
                AtomicIntegerFieldUpdater.newUpdater(Place.class, "lent");

        /** 1 while it is lent; set back by a plain assignment, for a call could fail. */
        private volatile int lent;

        private @Nullable SqliteSession session;

        /** Whether an error has left the session in the middle of something. */
        private boolean suspect;
    }

    /** Work with a session that is lent for it. */
    interface Work<R extends @Nullable Object> {
        R run(SqliteSession session) throws SQLException;
    }

    /** Lends a session, waiting for one to come free; what SQLite throws is translated. */
    <R extends @Nullable Object> R with(Work<R> work) {
        Place place = take();
        try {
            return run(place, work);
        } finally {
            place.lent = 0;
            tellWhoWaits();
        }
    }

    private <R extends @Nullable Object> R run(Place place, Work<R> work) {
        if (closed) {
            throw new StoreClosedException();
        }
        SqliteSession session = session(place);
        place.suspect = true; // until it is known to be sound, for an error may leave no room to say anything
        try {
            R answer = work.run(session);
            place.suspect = false;
            return answer;
        } catch (RuntimeException e) {
            place.suspect = false;
            throw e;
        } catch (SQLException e) {
            StoreException failure = session.failed(e);
            place.suspect = false;
            throw failure;
        }
    }

    private SqliteSession session(Place place) {
        SqliteSession session = place.session;
        if (session == null) {
            Headroom.require();
            session = opener.get();
            place.session = session;
        } else if (place.suspect) {
            session.recover();
        }
        return session;
    }

    private Place take() {
        Place free = tryTake();
        return free == null ? awaitFree() : free;
    }

    private @Nullable Place tryTake() {
        for (Place place : places) {
            if (place.lent == 0 && Place.LENT.compareAndSet(place, 0, 1)) {
                return place;
            }
        }
        return null;
    }

    private Place awaitFree() {
        boolean interrupted = false;
        Place free = null;
        while (free == null) {
            waiting.incrementAndGet();
            try {
                // One that has come free before it was known that somebody waits has not been told.
                boolean unused = isOneFree() || freed.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                waiting.decrementAndGet();
            }
            free = tryTake(); // the last call: a place that is taken must not be lost by another
        }
        if (interrupted) {
            keepInterrupt(free);
        }
        return free;
    }

    private boolean isOneFree() {
        for (Place place : places) {
            if (place.lent == 0) {
                return true;
            }
        }
        return false;
    }

    private static void keepInterrupt(Place taken) {
        boolean kept = false;
        try {
            Thread.currentThread().interrupt();
            kept = true;
        } finally {
            if (!kept) {
                taken.lent = 0;
            }
        }
    }

    /** Only a hint, of which some may be missing and others too many. */
    private void tellWhoWaits() {
        if (waiting.get() > 0 && freed.availablePermits() < places.length) {
            freed.release();
        }
    }

    /** Waits for the sessions that are lent and closes all; from then on there are none to be had. */
    @Override
    public void close() {
        closed = true;
        for (Place place : places) {
            close(place);
        }
    }

    private void close(Place place) {
        boolean interrupted = false;
        while (!Place.LENT.compareAndSet(place, 0, 1)) {
            LockSupport.parkNanos(this, CLOSING_LOOK_NANOS);
            interrupted |= Thread.interrupted();
        }
        try {
            SqliteSession session = place.session;
            place.session = null;
            if (session != null) {
                session.close();
            }
        } finally {
            place.lent = 0;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
