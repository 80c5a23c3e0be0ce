package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Engine;

/**
 * The submissions that wait for a commit, in the order of their arrival. Any thread adds submissions. The committing thread takes
 * them.
 */
final class SubmissionQueue {

    /** Limits how long the last submission in the queue waits. */
    static final int MAX_BATCH = 1_000;

    /** Limits the memory that a commit uses: with these bytes of values, no more submissions share it. */
    static final long MAX_BYTES = Batch.MOST_LOADED;

    private final Queue<Submission<?>> submissions = new ConcurrentLinkedQueue<>();

    /** How many there are, which the queue itself counts one by one. */
    private final AtomicInteger count = new AtomicInteger();

    void add(Submission<?> submission) {
        submissions.add(submission);
        int unused = count.incrementAndGet();
    }

    private void remove(Submission<?> submission) {
        if (submissions.remove(submission)) { // false if another thread has removed it
            int unused = count.decrementAndGet();
        }
    }

    /** Returns how many there are, about. */
    int size() {
        return count.get();
    }

    /** Returns the submission that has waited longest and was not withdrawn; null if none waits. */
    @Nullable
    Submission<?> first() {
        Submission<?> first = submissions.peek(); // not by an iterator, for which there may be no memory
        while (first != null && first.isClaimed()) {
            remove(first);
            first = submissions.peek();
        }
        return first;
    }

    boolean isEmpty() {
        return submissions.isEmpty();
    }

    /** Tests whether the next one is a command. */
    boolean beginsWithCommand() {
        Submission<?> first = first();
        return first != null && first.isCommand();
    }

    /**
     * Moves the submissions that can share a commit to a list: the first one, and all of the same part of the data that wait, up to the next
     * one that must wait for another commit, to the next one about several parts, or to the next command, because these go alone. If this
     * fails half-way, the list has every submission that has left the queue.
     *
     * @param batch gets them
     * @param waits tests whether one has to wait for a commit that is under way
     * @param alone whether no other commit is under way, so that the first one may be a command
     */
    void moveTo(List<Submission<?>> batch, Predicate<Submission<?>> waits, boolean alone) {
        moveFirst(batch, waits, alone);
        if (batch.isEmpty() || goesAlone(batch.get(0)) || submissions.isEmpty()) {
            return;
        }
        int part = batch.get(0).part();
        long bytes = batch.get(0).bytes();
        int seen = 1;
        for (Submission<?> next : submissions) {
            if (seen++ == MAX_BATCH || bytes >= MAX_BYTES || goesAlone(next)) {
                return;
            }
            if (next.part() == part) { // those of other parts are about other rows, so it may overtake them
                if (waits.test(next)) {
                    return;
                }
                bytes += move(next, batch) ? next.bytes() : 0;
            }
        }
    }

    private void moveFirst(List<Submission<?>> batch, Predicate<Submission<?>> waits, boolean alone) {
        Submission<?> next = submissions.peek();
        while (next != null && (alone || !next.isCommand()) && !waits.test(next) && !move(next, batch)) {
            next = submissions.peek();
        }
    }

    /** Moves a submission. Returns false if it does not count: it was withdrawn, or is left from a call that failed. */
    private boolean move(Submission<?> next, List<Submission<?>> batch) {
        batch.add(next);
        boolean counts = next.claim();
        if (!counts) {
            batch.remove(batch.size() - 1);
        }
        remove(next);
        return counts;
    }

    private static boolean goesAlone(Submission<?> submission) {
        return submission.isCommand() || submission.part() == Engine.SEVERAL_PARTS;
    }
}
