package dev.ttlstore.sqlite;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreClosedException;

/**
 * The long reads of a file, each through a connection of its own: backups and verifications. While there are any, the log is kept,
 * because they need the pages of the moment when they began. Closing ends them. Thread-safe.
 */
final class LongReads implements AutoCloseable {

    private final @Nullable Checkpointer checkpointer;

    /** The number of reads; guarded by this. */
    private int running;

    private volatile boolean closed;

    /**
     * Prepares for reads.
     *
     * @param checkpointer keeps the log meanwhile
     */
    LongReads(@Nullable Checkpointer checkpointer) {
        this.checkpointer = checkpointer;
    }

    /** Notes the beginning of a read. {@link #end} must follow. */
    synchronized void begin() {
        if (closed) {
            throw new StoreClosedException();
        }
        running++;
        if (checkpointer != null) {
            checkpointer.keepLog(running);
        }
    }

    /** Notes the end of a read. */
    synchronized void end() {
        running--;
        if (checkpointer != null) {
            checkpointer.keepLog(running);
        }
        notifyAll();
    }

    /** Tests whether reads are to end. */
    boolean isClosed() {
        return closed;
    }

    /** Ends the reads, and waits until they have let go of the file. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        synchronized (this) {
            while (running > 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true; // the file must not be released before
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
