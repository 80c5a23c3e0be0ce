package dev.ttlstore.internal.base;

import java.time.Duration;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreException;

/**
 * Bounds the memory of asynchronous work that waits. A caller for whose work there is no room waits, as it would without asynchrony, and
 * fails after a time. A caller for which that work may be waiting is let in at once, and takes no room: otherwise it would wait for
 * itself. Thread-safe.
 */
public final class Admission {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String what;
    private final BytePermits room;
    private final Duration patience;

    /**
     * Creates one without waiting work.
     *
     * @param what the work, for the exception
     * @param bytes how much room there is
     */
    public Admission(String what, long bytes) {
        this(what, bytes, PATIENCE);
    }

    Admission(String what, long bytes, Duration patience) {
        this.what = what;
        this.room = new BytePermits(bytes);
        this.patience = patience;
    }

    /** The room that some work has taken. Giving it back a second time does nothing. Thread-safe. */
    private static final class Taken implements Runnable {
        private final BytePermits room;
        private long bytes;

        private Taken(BytePermits room, long bytes) {
            this.room = room;
            this.bytes = bytes;
        }

        @Override
        public synchronized void run() {
            room.giveBack(bytes);
            bytes = 0;
        }
    }

    /**
     * Takes room, or waits for it.
     *
     * @param bytes how much the work takes
     * @param mayWait whether the caller may wait; code that depends on a future never does
     * @return gives the room back, without memory; to be run at least once
     * @throws StoreException if there was no room in time
     */
    public Runnable enter(long bytes, boolean mayWait) {
        Taken taken = new Taken(room, bytes); // first: there may be no memory for it later
        if (room.tryTake(bytes)) {
            return taken;
        }
        if (!mayWait || Reply.isRunning()) {
            return new Taken(room, 0);
        }
        if (Deadline.in(patience).tryUntil(nanos -> room.take(bytes, nanos))) {
            return taken;
        }
        throw new StoreException(
                "So many " + what + " wait that there has been no room for another one for " + patience.toSeconds()
                        + " s, so nothing of it was written",
                "Find what delays the others: a long transaction, a slow listener, a slow disk or database, or code that"
                        + " depends on a future and blocks",
                null);
    }
}
