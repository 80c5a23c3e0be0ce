package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a transaction of the application has added to the log, write by write. Used by the thread that is in it, but another may end it. */
final class JoinedWrites {

    /** Whose writes outside the transaction would wait for it. */
    private final Thread thread = Thread.currentThread();

    private final List<List<LogRow>> written = new ArrayList<>();
    private final List<LogRow> undone = new ArrayList<>();

    /** Returns the thread that is in the transaction. */
    Thread thread() {
        return thread;
    }

    /** Adds the rows of a write. */
    void add(List<LogRow> rows) {
        written.add(rows);
    }

    /** Tests whether the transaction has locked a slot. */
    boolean hasLocked(int slot) {
        return written.stream().flatMap(List::stream).anyMatch(row -> row.slot() == slot);
    }

    /** Notes that all writes but the first ones were rolled back, to a savepoint. */
    void rolledBack(int first) {
        List<List<LogRow>> gone = written.subList(first, written.size());
        gone.forEach(undone::addAll);
        gone.clear();
    }

    /** Returns the rows of the writes that were not rolled back to a savepoint. */
    List<LogRow> rows() {
        return written.stream().flatMap(List::stream).toList();
    }

    /**
     * Returns the rows that were rolled back.
     *
     * @param committed whether the others were committed
     */
    List<LogRow> undone(boolean committed) {
        List<LogRow> all = new ArrayList<>(undone);
        if (!committed) {
            all.addAll(rows());
        }
        return all;
    }

    /** The transactions of the application that have locked slots, by the thread that is in them. Thread-safe. */
    static final class Locks {

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
}
