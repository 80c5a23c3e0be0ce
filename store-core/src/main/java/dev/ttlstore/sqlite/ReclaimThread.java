package dev.ttlstore.sqlite;

import java.util.concurrent.locks.LockSupport;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.OnDemandThread;

/** The thread that gives room back. It starts when there may be something to do, and ends some time afterwards. */
final class ReclaimThread implements Reclaimer.Alarm {

    private final OnDemandThread thread = new OnDemandThread(
            BackgroundThreads.named("ttl-store-reclaim"), "Free pages of the file", this::runWhenDue, false);

    private volatile Runnable work = () -> {};
    private volatile long due;
    private volatile boolean closed;

    @Override
    public boolean set(Runnable next, long nanos) {
        due = System.nanoTime() + nanos;
        work = next;
        return thread.wake();
    }

    private void runWhenDue() {
        for (long left = due - System.nanoTime(); left > 0 && !closed; left = due - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        if (!closed) {
            work.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.closeAndJoin();
    }
}
