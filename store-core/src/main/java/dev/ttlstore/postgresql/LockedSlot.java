package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Row;

/** A slot that a commit has locked: its head, and what the commit will log there. Used by one thread. */
final class LockedSlot {

    private static final String USED =
            LogHead.APPEND.formatted("greatest(h.seq + h.n, ?)", "1", "greatest(h.at, {now})");

    private final LogHead head;
    private final List<Change> changes = new ArrayList<>();
    private long next;
    private boolean changed;
    private long due = Row.NEVER;
    private boolean deliveries;

    LockedSlot(LogHead head) {
        this.head = head;
        this.next = head.next();
    }

    LogHead head() {
        return head;
    }

    /** Takes the next number. */
    long next() {
        return next++;
    }

    /** Passes over numbers that were handed out before the slot was locked. */
    void startFrom(long number) {
        next = Math.max(next, number);
    }

    /** Notes that rows of the slot change. */
    void change() {
        changed = true;
    }

    boolean isChanged() {
        return changed;
    }

    /** Notes that a row of the slot will expire. */
    void dueAt(long time) {
        due = Math.min(due, time);
    }

    /** Notes that deliveries of the slot were recorded, or have become due. */
    void record() {
        changed = true;
        deliveries = true;
    }

    /** Adds a change for the other nodes. */
    void log(Change change) {
        changed = true;
        changes.add(change);
    }

    /** Returns the commit in the log of the slot: one row, or several if it has many changes. The last one has all the rest. */
    List<LogRow> log(UUID batch) {
        boolean numbered = next != head.next();
        long first = numbered ? next - 1 : next;
        if (changes.isEmpty()) {
            return List.of(new LogRow(head.slot(), first, batch, due, deliveries, null));
        }
        changes.sort(Comparator.comparingLong(Change::sequence));
        List<byte[]> parts = ChangeCodec.encodeInParts(changes);
        List<LogRow> rows = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            boolean last = i == parts.size() - 1;
            rows.add(new LogRow(
                    head.slot(), first + i, batch, last ? due : Row.NEVER, last && deliveries, parts.get(i)));
        }
        return rows;
    }

    /** Returns the time of the commit in the log of the slot, which is never before that of the head. */
    long at(long now) {
        return Math.max(now, head.at());
    }

    /** Adds only the numbers that were handed out to the log of the slot, if there were any. */
    void logNumbers(Script script, UUID batch) {
        if (next != head.next()) {
            Script unused = LogHead.lock(script, head.slot()).add(USED, next - 1, batch, head.slot());
        }
    }
}
