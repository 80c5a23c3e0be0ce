package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

import static java.util.Objects.requireNonNull;

/**
 * A pool of sessions. Each is used by one thread at a time, and opened when it is first needed.
 *
 * <p>A session is returned by writing a field. That needs neither stack nor memory, so an error in a caller's thread
 * cannot keep it from being returned. Such an error can swallow the signal to a waiting thread, so waiting threads
 * check for themselves from time to time.
 */
final class SessionPool implements AutoCloseable {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long CLOSING_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The first places are used most, which keeps their page caches warm. */
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

    /** Creates a pool of one open session. The pool closes it even if it was never used. */
    SessionPool(SqliteSession only) {
        this(1, () -> only);
        places[0].session = only;
    }

    /** A place for one session, held by the thread that has set its flag. */
    private static final class Place {

        private static final AtomicIntegerFieldUpdater<Place> LENT =
                AtomicIntegerFieldUpdater.newUpdater(Place.class, "lent");

        /** 1 while the session is lent. Reset by a plain assignment, because a method call could fail. */
        private volatile int lent;

        private @Nullable SqliteSession session;

        /** Whether an error may have interrupted the session in the middle of something. */
        private boolean suspect;
    }

    /** Runs work with a session, and waits for a free one if needed. */
    <R extends @Nullable Object> R with(Function<SqliteSession, R> work) {
        Place place = take();
        try {
            return run(place, work);
        } finally {
            place.lent = 0;
            tellWhoWaits();
        }
    }

    /** Runs work without an answer. */
    void use(Consumer<SqliteSession> work) {
        boolean unused = with(session -> {
            work.accept(session);
            return true;
        });
    }

    private <R extends @Nullable Object> R run(Place place, Function<SqliteSession, R> work) {
        if (closed) {
            throw new StoreClosedException();
        }
        SqliteSession session = session(place);
        place.suspect = true; // until it is known to be sound; an error may leave no room to do more
        try {
            R answer = work.apply(session);
            place.suspect = false;
            return answer;
        } catch (RuntimeException e) {
            place.suspect = false;
            throw e;
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
        return free == null ? requireNonNull(awaitFree(() -> true)) : free;
    }

    /**
     * Requires that those who have all sessions give one back.
     *
     * @param limit how long to wait for that
     * @throws StoreException if none was given back in time
     */
    void requireReturned(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        Place free = tryTake();
        if (free == null) {
            free = awaitFree(() -> end - System.nanoTime() > 0);
        }
        if (free == null) {
            throw new StoreException(
                    "A commit has not ended for " + limit.toSeconds() + " seconds, and nothing else can be written",
                    "Look into a dump of the threads for what it waits for: a codec, a cipher, a clock or the disk",
                    null);
        }
        free.lent = 0;
        tellWhoWaits();
    }

    private @Nullable Place tryTake() {
        for (Place place : places) {
            if (place.lent == 0 && Place.LENT.compareAndSet(place, 0, 1)) {
                return place;
            }
        }
        return null;
    }

    /** Waits for as long as somebody is patient, and returns null if that ends first. */
    private @Nullable Place awaitFree(BooleanSupplier patience) {
        boolean interrupted = false;
        Place free = null;
        while (free == null && patience.getAsBoolean()) {
            waiting.incrementAndGet();
            try {
                // A place that was freed before this thread was counted as waiting has sent no signal.
                boolean unused = isOneFree() || freed.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                waiting.decrementAndGet();
            }
            if (closed) {
                throw closed(interrupted); // what the others do with their sessions may never end
            }
            free = tryTake(); // the last call: a failure after it would lose the place
        }
        if (interrupted) {
            keepInterrupt(free);
        }
        return free;
    }

    private static StoreClosedException closed(boolean interrupted) {
        Deadline.restoreInterrupt(interrupted);
        return new StoreClosedException();
    }

    private boolean isOneFree() {
        for (Place place : places) {
            if (place.lent == 0) {
                return true;
            }
        }
        return false;
    }

    private static void keepInterrupt(@Nullable Place taken) {
        boolean kept = false;
        try {
            Thread.currentThread().interrupt();
            kept = true;
        } finally {
            if (!kept && taken != null) {
                taken.lent = 0;
            }
        }
    }

    /** Signals a waiting thread. This is only a hint: some signals may be missing, others superfluous. */
    private void tellWhoWaits() {
        if (waiting.get() > 0 && freed.availablePermits() < places.length) {
            freed.release();
        }
    }

    /**
     * Waits until no session is lent. An interrupt does not end the wait.
     *
     * @param nanos how long at most
     * @return whether none was lent for a moment
     */
    boolean awaitUnused(long nanos) {
        return Deadline.in(Duration.ofNanos(Math.max(0, nanos))).tryUntil(left -> isSoon(this::isUnused, left));
    }

    /** Looks again and again, because it is not worth a signal: only a close waits for it. */
    private static boolean isSoon(BooleanSupplier condition, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        boolean holds = condition.getAsBoolean();
        while (!holds && end - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.sleep(CLOSING_LOOK_NANOS);
            holds = condition.getAsBoolean();
        }
        return holds;
    }

    private boolean isUnused() {
        return Arrays.stream(places).noneMatch(place -> place.lent != 0);
    }

    /** Lets later calls of {@link #with} throw, and those that wait for a session. Returns at once. */
    void refuse() {
        closed = true;
    }

    /** Waits for borrowed sessions and closes all of them. Later calls of {@link #with} throw. */
    @Override
    public void close() {
        refuse();
        for (Place place : places) {
            close(place);
        }
    }

    private static void close(Place place) {
        boolean unused = Deadline.none().tryUntil(left -> isSoon(() -> Place.LENT.compareAndSet(place, 0, 1), left));
        try {
            SqliteSession session = place.session;
            place.session = null;
            if (session != null) {
                session.close();
            }
        } finally {
            place.lent = 0;
        }
    }
}
