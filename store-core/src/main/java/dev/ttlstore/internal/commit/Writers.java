package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;

/**
 * The writers of a store: as many as may commit at the same time. A thread takes one of them or, for work beside which nobody may write,
 * all of them, in the order of arrival. They can be abandoned permanently while threads have them. All waiting threads then go
 * on without one. Thread-safe.
 */
final class Writers {

    private final List<Writer> all;
    private final Engine engine;

    /** Fair, so that transactions and leading callers each get their turn. */
    private final Semaphore free;

    /** Whether the store has closed without waiting for them, so that no thread gets one any more. */
    private volatile boolean abandoned;

    /**
     * Makes as many writers as may commit at the same time, all of them free.
     *
     * @param context what they share
     */
    Writers(CommitContext context) {
        this.engine = context.engine();
        int count = engine.info().commits();
        Writer[] writers = new Writer[count];
        for (int i = 0; i < count; i++) {
            writers[i] = new Writer(context);
        }
        this.all = List.of(writers);
        this.free = new Semaphore(count, true);
    }

    /** Tests whether several may commit at the same time. */
    boolean areSeveral() {
        return all.size() > 1;
    }

    /** Waits for a writer, ignoring interrupts. Returns null if they were abandoned. */
    @Nullable
    Writer take() {
        free.acquireUninterruptibly();
        if (abandoned) {
            return null;
        }
        for (int i = 0; i < all.size(); i++) { // needs no memory
            if (all.get(i).tryTake()) {
                return all.get(i);
            }
        }
        throw new IllegalStateException("No writer is free");
    }

    /** Waits for all writers, ignoring interrupts. Returns the one to use; null if they were abandoned. */
    @Nullable
    Writer takeAll() {
        free.acquireUninterruptibly(all.size());
        return takenAlone();
    }

    /** Waits for all writers for a limited time; {@link #alone} is then the one to use. Returns false if the time is over, or if they were abandoned. */
    boolean tryTakeAll(long nanos) throws InterruptedException {
        return free.tryAcquire(all.size(), nanos, TimeUnit.NANOSECONDS) && takenAlone() != null;
    }

    /** Returns the writer to use for a thread that has taken all of them. */
    Writer alone() {
        return all.get(0);
    }

    private @Nullable Writer takenAlone() {
        if (abandoned) {
            return null;
        }
        alone().takeAlone();
        return alone();
    }

    /** Gives back one writer, or all of them if they were taken together. */
    void giveBack(Writer writer) {
        free.release(writer.giveBack() ? all.size() : 1);
    }

    /**
     * Tests whether another commit should begin beside those that are under way: if a writer is free, the engine finds another one worthwhile, and
     * as many submissions wait as each of those has. For commits of few submissions, the engine would work longer in all.
     */
    boolean shouldBegin(int waiting) {
        int commits = 0;
        int submissions = 0;
        for (int i = 0; i < all.size(); i++) { // needs no memory
            int size = all.get(i).batch().size();
            commits += size > 0 ? 1 : 0;
            submissions += size;
        }
        return commits == 0
                || (commits < all.size()
                        && (long) waiting * commits >= submissions
                        && commits < engine.worthwhileCommits());
    }

    /** Returns the part of the data that a submission is about. */
    int part(Submission<?> submission) {
        return submission.isCommand() ? Engine.SEVERAL_PARTS : engine.part(submission.request());
    }

    /** Tests whether somebody waits for a writer. */
    boolean areWaitedFor() {
        return free.hasQueuedThreads();
    }

    /** Tests whether this thread has a writer. */
    boolean isOneMine() {
        for (int i = 0; i < all.size(); i++) { // called for each read, so without an iterator
            if (all.get(i).isMine()) {
                return true;
            }
        }
        return false;
    }

    /** Tests whether a thread that has a writer will never give it back. */
    boolean isOneLost() {
        return all.stream().anyMatch(Writer::isLost);
    }

    /** Returns all writers, taken or free. */
    List<Writer> all() {
        return all;
    }

    /** Lets all waiting threads go on without a writer, and all later ones. */
    void abandon() {
        abandoned = true;
        free.release(Integer.MAX_VALUE / 2); // more than there are threads
    }
}
