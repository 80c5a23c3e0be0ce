package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;

/**
 * The submissions that wait for a commit, in the order of their arrival. Any thread adds submissions. The committing thread takes
 * them.
 */
final class SubmissionQueue {

    /** Limits how long the last submission in the queue waits. */
    private static final int MAX_BATCH = 1_000;

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
     * Moves the submissions that can share a commit to a list: all that wait, up to the next command, because
     * it goes alone, or to the next one that must wait for another commit or may not share this one. If this fails half-way, the list has
     * every submission that has left the queue.
     *
     * @param batch gets them
     * @param waits tests whether one has to wait for a commit that is under way
     * @param shares tests whether one, the second, may be in the commit of another
     * @param alone whether no other commit is under way, so that the first one may be a command
     */
    void moveTo(
            List<Submission<?>> batch,
            Predicate<Submission<?>> waits,
            BiPredicate<Submission<?>, Submission<?>> shares,
            boolean alone) {
        Submission<?> next = submissions.peek();
        long bytes = 0;
        while (next != null
                && batch.size() < MAX_BATCH
                && bytes < MAX_BYTES
                && ((alone && batch.isEmpty()) || !next.isCommand())
                && !waits.test(next)
                && (batch.isEmpty() || shares.test(batch.get(0), next))) {
            batch.add(next);
            if (next.take()) {
                bytes += next.bytes();
            } else { // it was withdrawn, or is left from a call of this that failed
                batch.remove(batch.size() - 1);
            }
            remove(next);
            if (!batch.isEmpty() && batch.get(0).isCommand()) {
                return;
            }
            next = submissions.peek();
        }
    }
}
