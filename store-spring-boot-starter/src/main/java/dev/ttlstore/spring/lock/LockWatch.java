package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Group;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

/** Waits until a lock may be free. It watches the lock's entry from the first wait on. For one thread. */
final class LockWatch implements AutoCloseable {

    private static final int CAPACITY = 16;

    private final Group<String> group;
    private final String key;
    private final CountDownLatch closed;
    private @Nullable Watch watch;

    /**
     * Creates the watch, which is not open yet.
     *
     * @param group the group of the lock
     * @param key the key of the lock
     * @param closed ends every wait
     */
    LockWatch(Group<String> group, String key, CountDownLatch closed) {
        this.group = group;
        this.key = key;
        this.closed = closed;
    }

    boolean isOpen() {
        return watch != null;
    }

    /**
     * Waits until the entry has gone, for at most some time. The first call only opens the watch, because the lock may have become
     * free before, so that the caller has to look again.
     */
    void openOrAwait(Duration atMost) throws InterruptedException {
        if (watch == null) {
            watch = group.watch(WatchOptions.defaults().withCapacity(CAPACITY).ofKey(key));
        } else {
            await(watch, atMost);
        }
    }

    /** A renewal is no reason to stop waiting. */
    private void await(Watch opened, Duration atMost) throws InterruptedException {
        long start = System.nanoTime();
        Duration left = atMost;
        while (!left.isNegative() && !left.isZero()) {
            if (opened.isClosed()) { // the application is stopping
                boolean unused = closed.await(left.toNanos(), TimeUnit.NANOSECONDS);
                return;
            }
            Optional<WatchSignal> signal = opened.poll(left);
            if (signal.isPresent() && !isPut(signal.get())) {
                return;
            }
            left = atMost.minusNanos(System.nanoTime() - start);
        }
    }

    private static boolean isPut(WatchSignal signal) {
        return signal instanceof WatchSignal.Change change && change.event() instanceof EntryPut;
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
