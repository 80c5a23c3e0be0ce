package dev.ttlstore.postgresql;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.GroupRange;

/** What a transaction knows of a slot, has read there, and has handed out. Used by one thread. */
final class SeenSlot {

    private final int slot;
    private final long at;
    private long seq;
    private @Nullable GroupRange range;
    private boolean slipped;
    private boolean reserved;
    private long next;
    private long end;

    SeenSlot(Head head) {
        this.slot = head.slot();
        this.at = head.at();
        this.seq = head.seq();
    }

    int slot() {
        return slot;
    }

    /** The time of the newest commit that the transaction sees. */
    long at() {
        return at;
    }

    /** Notes that more than single rows of some groups are read. Returns whether that is the first time in the slot. */
    boolean readRange(GroupRange groups) {
        boolean first = range == null;
        if (first) {
            range = groups;
        }
        return first;
    }

    /** Takes note of a commit that the transaction has added to the log, and that changes nothing. */
    void moved(FinalTimes.Looked looked) {
        if (!reserved && looked.before() == seq) {
            seq = looked.seq();
        }
    }

    /** Returns how many numbers were set aside last; 0 if none were. */
    long reserved() {
        return reserved ? end - seq : 0;
    }

    /**
     * Takes note of numbers that were set aside in the log.
     *
     * @param before the head before that
     * @param first the first of the numbers
     * @param count how many they are
     * @throws ConflictException if another commit has come after numbers that were set aside before
     */
    void reserve(Head before, long first, long count) {
        requireNumbers(before);
        slipped |= before.seq() != seq;
        reserved = true;
        seq = first;
        next = first;
        end = first + count;
    }

    private void requireNumbers(Head head) {
        if (reserved && head.seq() != seq) {
            throw new ConflictException("Another commit has taken a later number");
        }
    }

    /** Tests whether a number is left of those that were set aside. */
    boolean hasNumber() {
        return next != end;
    }

    /** Hands out the next number. */
    long takeNumber() {
        return next++;
    }

    /** Returns the first number that was not handed out; 0 if none were set aside. */
    long next() {
        return next;
    }

    /**
     * Tests whether nothing in the slot has changed.
     *
     * @param head the head of the slot, which is locked
     * @return whether that is so; otherwise single rows that were read may have changed
     * @throws ConflictException if something has changed, and more than single rows were read or later numbers were taken
     */
    boolean isUnchanged(Head head) {
        requireNumbers(head);
        boolean unchanged = head.seq() == seq && !slipped;
        if (!unchanged && range != null) {
            throw new ConflictException("Something has changed since a range of " + range.described() + " was read");
        }
        return unchanged;
    }
}
