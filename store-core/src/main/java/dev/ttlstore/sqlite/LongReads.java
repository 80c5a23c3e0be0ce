package dev.ttlstore.sqlite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreClosedException;

/**
 * The long reads of a file, each through a connection of its own: backups and verifications. While there are any, the log is kept,
 * because they need the pages of the moment when they began. Closing ends them. Thread-safe.
 */
final class LongReads {

    private static final Logger log = LoggerFactory.getLogger(LongReads.class);

    /** A read ends within milliseconds of being asked to, unless its listener blocks. */
    private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

    private final Checkpointer checkpointer;

    /** The threads of the reads; guarded by this. */
    private final List<Thread> running = new ArrayList<>();

    /** Whether the file was closed without waiting for all reads; guarded by this. */
    private boolean abandoned;

    private volatile boolean closed;

    /**
     * Prepares for reads.
     *
     * @param checkpointer keeps the log meanwhile
     */
    LongReads(Checkpointer checkpointer) {
        this.checkpointer = checkpointer;
    }

    /** Notes the beginning of a read. {@link #end} must follow. */
    synchronized void begin() {
        if (closed) {
            throw new StoreClosedException();
        }
        running.add(Thread.currentThread());
        checkpointer.keepLog(running.size());
    }

    /** Notes the end of a read. */
    synchronized void end() {
        running.remove(Thread.currentThread());
        if (!abandoned) {
            checkpointer.keepLog(running.size());
        }
        notifyAll();
    }

    /** Tests whether reads are to end. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Ends the reads, and waits until they have let go of the file. A read whose listener does not return in time, or closes the store
     * itself, is abandoned: it only reads, through its own connection, and ends when its listener has returned.
     *
     * @param timeout how long to wait
     */
    void close(Duration timeout) {
        closed = true;
        boolean unused = Deadline.in(timeout.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : timeout)
                .tryUntil(this::awaitOthers);
        synchronized (this) {
            abandoned = !running.isEmpty();
            if (isAwaited()) {
                log.warn(
                        "The listener of a backup or a verification has not returned in time; see the stacks of {}. The store closes"
                                + " without it. To wait longer, raise the builder's closeTimeout(…)",
                        names());
            }
        }
    }

    private synchronized boolean awaitOthers(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; isAwaited() && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return !isAwaited();
    }

    private boolean isAwaited() {
        return running.stream().anyMatch(thread -> thread != Thread.currentThread());
    }

    private String names() {
        return running.stream().map(thread -> '\'' + thread.getName() + '\'').collect(Collectors.joining(", "));
    }
}
