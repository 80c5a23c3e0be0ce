package dev.ttlstore.jcache;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Locks by the texts of keys, within this process: for what must happen in the same order as the changes in the store, such as
 * the calls of listeners and writers. They are not what makes changes atomic.
 */
final class KeyLocks {

    private final ConcurrentHashMap<String, Lock> locks = new ConcurrentHashMap<>();

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
        Map<String, Lock> held = new LinkedHashMap<>();
        try {
            texts.stream().sorted().forEach(text -> held.put(text, lock(text)));
            work.run();
        } finally {
            held.forEach(this::unlock);
        }
    }

    private Lock lock(String text) {
        Lock lock = locks.compute(text, (key, present) -> {
            Lock used = present == null ? new Lock() : present;
            used.users++;
            return used;
        });
        if (!lock.lock.tryLock()) {
            SerialQueue.await(lock.lock::lock);
        }
        return lock;
    }

    private void unlock(String text, Lock lock) {
        lock.lock.unlock();
        locks.computeIfPresent(text, (key, present) -> --present.users == 0 ? null : present);
    }

    private static final class Lock {

        private final ReentrantLock lock = new ReentrantLock();
        private int users;
    }
}
