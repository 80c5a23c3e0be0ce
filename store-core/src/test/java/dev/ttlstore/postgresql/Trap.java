package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Waits in a {@link Proxy} for a statement with a certain text, and then closes that connection. It closes one connection only.
 * Thread-safe.
 */
final class Trap {

    /** What becomes of the statement for which a connection is closed. */
    enum Fate {
        /** The server never gets it. */
        LOST,
        /** The server runs it to its end; only the answer is lost. */
        ANSWER_LOST,
        /** The server gets its first half, and then nothing, while both ends stay open. */
        HALF,
        /** The server gets it after the client has given up on the connection, when the test says so. */
        DELIVERED_LATE
    }

    private final String text;
    private final Fate fate;
    private final AtomicBoolean armed = new AtomicBoolean(true);
    private final CountDownLatch sprung = new CountDownLatch(1);
    private final CountDownLatch deliver = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Trap next;

    Trap(String text, Fate fate) {
        this.text = text;
        this.fate = fate;
    }

    Fate fate() {
        return fate;
    }

    /** Sets another trap as soon as this one has caught what it waits for. */
    Trap then(Trap cursor) {
        next = cursor;
        return cursor;
    }

    @Nullable
    Trap next() {
        return next;
    }

    /** Returns whether this is what the trap waits for, which it is once. */
    boolean catches(String statement) {
        return statement.contains(text) && armed.compareAndSet(true, false);
    }

    /** Says that the client's connection is closed. */
    void spring() {
        sprung.countDown();
    }

    /** Says that the server has answered what was delivered, or will never get it. */
    void finish() {
        sprung.countDown();
        done.countDown();
    }

    void awaitDelivery() throws InterruptedException {
        deliver.await();
    }

    /** Returns whether the client's connection is closed, or about to be. */
    boolean hasSprung() {
        return sprung.getCount() == 0;
    }

    /** Waits until the client's connection is closed, or about to be. */
    void awaitSprung(Duration patience) throws InterruptedException {
        await(sprung, patience);
    }

    /** Lets the server have the statement that was held back, and waits until it has run it. */
    void deliver(Duration patience) throws InterruptedException {
        deliver.countDown();
        await(done, patience);
    }

    /** Lets everything pass from now on. */
    void disarm() {
        armed.set(false);
    }

    private void await(CountDownLatch latch, Duration patience) throws InterruptedException {
        if (!latch.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("Nothing with '" + text + "' came through within " + patience);
        }
    }
}
