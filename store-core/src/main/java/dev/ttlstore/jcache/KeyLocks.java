package dev.ttlstore.jcache;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import javax.cache.CacheException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Deadline;

/**
 * Locks by the texts of keys, within this process: for what must happen in the same order as the changes in the store, such as
 * the calls of listeners and writers. They are not what makes changes atomic.
 */
final class KeyLocks {

    /** How long a call waits for others of its cache. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ConcurrentHashMap<String, Lock> locks = new ConcurrentHashMap<>();

    /** How long a change waits for another one. */
    private final Duration patience;

    KeyLocks() {
        this(PATIENCE);
    }

    KeyLocks(Duration patience) {
        this.patience = patience;
    }

    <R extends @Nullable Object> R locked(String text, Supplier<R> work) {
        Lock lock = lock(text);
        try {
            return work.get();
        } finally {
            unlock(text, lock);
        }
    }

    /** Locks many keys, in one order for all, so that two callers never wait for each other. */
    void lockedAll(Collection<String> texts, Runnable work) {
        List<String> sorted = texts.stream().sorted().toList();
        // Made beforehand: without memory, a lock that is not noted would be held for ever.
        Lock[] held = new Lock[sorted.size()];
        int locked = 0;
        try {
            while (locked < held.length) {
                held[locked] = lock(sorted.get(locked));
                locked++;
            }
            work.run();
        } finally {
            while (locked > 0) {
                locked--;
                unlock(sorted.get(locked), held[locked]);
            }
        }
    }

    private Lock lock(String text) {
        Lock lock = locks.compute(text, (key, present) -> {
            Lock used = present == null ? new Lock() : present;
            used.users++;
            return used;
        });
        boolean locked = false;
        try {
            locked = lock.lock.tryLock()
                    || SerialQueue.await(() ->
                            Deadline.in(patience).tryUntil(nanos -> lock.lock.tryLock(nanos, TimeUnit.NANOSECONDS)));
        } finally {
            if (!locked) {
                forget(text);
            }
        }
        if (!locked) {
            throw new CacheException(
                    "Another change of the same key has not ended for " + patience.toSeconds()
                            + " s, so this one was not made. Find which synchronous listener or writer of the cache does not return");
        }
        return lock;
    }

    private void unlock(String text, Lock lock) {
        lock.lock.unlock();
        forget(text);
    }

    private void forget(String text) {
        locks.computeIfPresent(text, (key, present) -> --present.users == 0 ? null : present);
    }

    private static final class Lock {

        private final ReentrantLock lock = new ReentrantLock();
        private int users;
    }
}
