package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The transactions of the application that have locked slots, by the thread that is in them. Thread-safe. */
final class JoinedLocks {

    private final ConcurrentMap<Thread, List<JoinedWrites>> locking = new ConcurrentHashMap<>();

    /** Notes that a transaction locks slots. */
    void locked(JoinedWrites writes) {
        Object unused = locking.compute(writes.thread(), (thread, all) -> {
            List<JoinedWrites> own = all == null ? new CopyOnWriteArrayList<>() : all;
            own.add(writes);
            return own;
        });
    }

    /** Notes the end of a transaction. */
    void unlocked(JoinedWrites writes) {
        if (!locking.isEmpty()) {
            Object unused = locking.computeIfPresent(writes.thread(), (thread, all) -> {
                all.removeIf(ended -> ended == writes);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Tests whether a transaction of this thread has locked slots. */
    boolean isLocking() {
        return !locking.isEmpty() && locking.containsKey(Thread.currentThread());
    }

    /** Tests whether a transaction of this thread has locked one of some slots. */
    boolean hasLocked(Collection<Integer> slots) {
        List<JoinedWrites> own = locking.getOrDefault(Thread.currentThread(), List.of());
        return slots.stream().anyMatch(slot -> own.stream().anyMatch(writes -> writes.hasLocked(slot)));
    }
}
