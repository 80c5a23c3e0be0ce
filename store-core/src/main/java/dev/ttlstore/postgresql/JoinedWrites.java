package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;

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
}
