package dev.ttlstore.spring.ratelimit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Lets the threads of this instance that call the same bucket go to the store one after another. Otherwise each would replace what it has read,
 * and all but one in vain. It only saves work: a thread that has waited for its turn for too long goes without. Thread-safe.
 */
final class BucketLocks {

    private final long patienceNanos;
    private final ConcurrentMap<String, Turn> turns = new ConcurrentHashMap<>();

    private static final class Turn {

        private final ReentrantLock lock = new ReentrantLock();

        /** How many threads have it or wait for it. The map guards it. */
        private int users;

        Turn enter() {
            users++;
            return this;
        }

        @Nullable
        Turn leave() {
            users--;
            return users == 0 ? null : this;
        }
    }

    /** Lets a thread wait for its turn for some time at most. */
    BucketLocks(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** Does work when it is the turn of this thread. */
    <R> R in(String key, Supplier<R> work) {
        ReentrantLock lock = turns.compute(key, (name, turn) -> (turn == null ? new Turn() : turn).enter()).lock;
        boolean mine = false;
        try {
            mine = await(lock);
            return work.get();
        } finally {
            if (mine) {
                lock.unlock();
            }
            Turn unused = turns.computeIfPresent(key, (name, turn) -> turn.leave());
        }
    }

    /** Returns for how many keys there are threads now. */
    int size() {
        return turns.size();
    }

    private boolean await(ReentrantLock lock) {
        try {
            return lock.tryLock(patienceNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
