package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.NodeQueue;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Lets callers share commits. Callers queue their submissions, and one of them leads: it takes a writer and all queued submissions, commits
 * them, wakes the callers whose submissions are done, and passes the lead to a waiting caller. So a lone caller writes in its own
 * thread, and many callers share a commit (flat combining: Hendler, Incze, Shavit and Tzafrir, SPAA 2010). If there are several
 * writers, the lead is passed on before the commit, so that several are under way. Thread-safe.
 */
final class GroupCommit {

    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    private static final SafeLog NOT_TOLD =
            new SafeLog(log, "Listeners and watches could not be notified of a commit; the commit itself succeeded");
    private static final SafeLog NOT_COMMITTED =
            new SafeLog(log, "The last writes could not be committed; this is retried");

    private static final SafeLog NOT_PASSED =
            new SafeLog(log, "Nobody could be woken to make the next commit; waiting callers look for themselves soon");

    /** How often a waiting caller checks for itself. An error in another thread can swallow the signal. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Writers writers;
    private final EventDispatcher dispatcher;
    private final Completions completions;
    private final SubmissionQueue queue = new SubmissionQueue();
    private final Predicate<Submission<?>> delayed = this::isDelayed;

    /** What is committed, or has failed, and whose replies are still to be given, in the order of their commits. */
    private final NodeQueue<Submission<?>> untold = new NodeQueue<>();

    /** Whether a thread has the lead: it alone takes submissions from the queue. */
    private final AtomicBoolean led = new AtomicBoolean();

    /** Whether the store is closed and the commits in progress, if there are any, are not waited for. */
    private volatile boolean leftBehind;

    private final OnDemandThread committer = new OnDemandThread(
            BackgroundThreads.named("ttl-store-commit"), "Asynchronous writes", this::commitAllQueued, true);

    /**
     * Creates a combiner with an empty queue.
     *
     * @param writers make the commits
     * @param dispatcher delivers the events of commits
     * @param completions completes the futures
     */
    GroupCommit(Writers writers, EventDispatcher dispatcher, Completions completions) {
        this.writers = writers;
        this.dispatcher = dispatcher;
        this.completions = completions;
    }

    /** Tests whether no submission waits for a commit. */
    boolean hasNoSubmissions() {
        return queue.isEmpty();
    }

    /** Tests whether nobody waits for a commit. */
    boolean isIdle() {
        return queue.isEmpty() && !writers.areWaitedFor();
    }

    private void add(Submission<?> submission) {
        Headroom.require();
        submission.setPart(writers.part(submission));
        queue.add(submission);
    }

    /** Queues a submission for another thread to commit, which then completes the submission's future. */
    void enqueue(Submission<?> submission) {
        add(submission);
        committer.wake();
        if (leftBehind) {
            refuseQueued(); // nobody would lead
        }
    }

    /** Commits a submission, and returns after the listeners of the commit were called. */
    <R extends @Nullable Object> R await(Submission<R> submission) {
        add(submission);
        boolean interrupted = false;
        while (!submission.isDone() && !isGivenUp(submission)) {
            try {
                if (submission.isClaimed() || !lead()) {
                    if (leftBehind) {
                        refuseQueued();
                    }
                    LockSupport.parkNanos(this, LOOK_NANOS);
                    // An interrupt does not cancel a write, and a thread whose interrupt status is set cannot park.
                    interrupted |= Thread.interrupted();
                }
            } catch (RuntimeException | Error e) { // no stack or memory to lead or to wait
                if (submission.claim()) {
                    passLead(); // others may wait behind it
                    throw e;
                }
            }
        }
        Deadline.restoreInterrupt(interrupted);
        if (!submission.isDone()) {
            throw givenUp();
        }
        dispatcher.deliver(submission.delivery());
        return submission.answer();
    }

    private boolean isGivenUp(Submission<?> submission) {
        return leftBehind
                && writers.all().stream().anyMatch(writer -> writer.batch().contains(submission));
    }

    private static OutcomeUnknownException givenUp() {
        return new OutcomeUnknownException(
                "The store was closed while the write was being committed", new StoreClosedException());
    }

    private void commitAllQueued() {
        if (writers.isOneMine()) {
            return; // it cannot wait for itself, and passes the lead on after its commit
        }
        tellAll();
        boolean leading = true;
        while (leading && !queue.isEmpty()) {
            leading = lead(); // if false, another thread leads and sees these submissions
        }
    }

    /**
     * Commits queued submissions, unless another thread leads or it is too early. Returns false in that case; then the other
     * thread sees every submission that was queued before this call, because it looks at the queue after it has given up the lead, or
     * the thread that ends a commit does.
     */
    private boolean lead() {
        boolean done = false;
        while (!done) { // again if a commit has ended meanwhile: the thread that ended it has seen that this one led
            if (queue.isEmpty() || isTooEarly() || !led.compareAndSet(false, true)) {
                return false;
            }
            done = leadOnce();
        }
        if (untold.isEmpty()) {
            return true;
        }
        if (dispatcher.isTelling()) {
            committer.wake(); // listeners see the current event first, then those of these writes; their futures follow
        } else {
            tellAll();
        }
        return true;
    }

    /** Takes a writer and what it can commit, and commits that. Returns false if it is too early. */
    private boolean leadOnce() {
        boolean leading = true;
        List<Submission<?>> batch = List.of();
        try {
            if (isTooEarly()) {
                return false;
            }
            Writer writer = queue.beginsWithCommand() ? writers.takeAll() : writers.take();
            if (writer == null) {
                batch = refused();
                keepUntold(batch);
                return true;
            }
            try {
                batch = taken(writer);
                if (writers.areSeveral() && !batch.isEmpty()) {
                    leading = false;
                    led.set(false);
                    passLead();
                }
                commit(writer);
            } catch (RuntimeException | Error e) { // nobody else would complete what was taken
                failUnlessDone(batch, e);
                throw e;
            } finally {
                keepUntold(batch); // first: what the next commits complete comes after it
                writers.giveBack(writer);
            }
            return !batch.isEmpty();
        } finally {
            if (leading) {
                led.set(false);
            }
            if (!batch.isEmpty()) {
                passLead(); // this and the next need no memory, for there may be none, and callers would wait for ever
                wakeCallers(batch);
            }
        }
    }

    /** Tests whether the next commit has to wait for one that is under way. */
    private boolean isTooEarly() {
        if (!writers.areSeveral()) {
            return false;
        }
        Submission<?> first = queue.first();
        return first == null || (!first.isCommand() && (!writers.shouldBegin(queue.size()) || isDelayed(first)));
    }

    /** Tests whether a write must keep its place behind one that is under way, or would wait for it in the engine. */
    private boolean isDelayed(Submission<?> submission) {
        for (int i = 0; i < writers.all().size(); i++) { // needs no memory
            if (writers.all().get(i).delays(submission)) {
                return true;
            }
        }
        return false;
    }

    private void keepUntold(List<Submission<?>> batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i).isAsync()) {
                untold.add(batch.get(i));
            }
        }
    }

    private static void wakeCallers(List<Submission<?>> batch) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).wakeCaller();
        }
    }

    /** Wakes who leads next, unless somebody leads or it is too early. Throws nothing, because commits depend on who calls this. */
    private void passLead() {
        try {
            Submission<?> next = led.get() || isTooEarly() ? null : queue.first();
            if (next != null && next.isAsync()) {
                committer.wake();
            } else if (next != null) {
                next.wakeCaller();
            }
        } catch (RuntimeException | Error e) { // no stack or memory
            NOT_PASSED.warn(e);
        }
    }

    /**
     * Completes the futures of all submissions that are committed, after the listeners were called. A submission stays in the queue until its future
     * is completed: another thread takes over if this one is in a listener that does not return, or has no memory.
     */
    void tellAll() {
        for (Submission<?> submission = untold.peek(); submission != null; submission = untold.peek()) {
            try {
                tell(submission);
            } catch (RuntimeException | Error e) { // no memory to complete a future; the committing thread tries again
                committer.wake();
                throw e;
            }
            untold.removeFirst(submission);
        }
    }

    private void tell(Submission<?> submission) {
        try {
            dispatcher.deliver(submission.delivery());
        } catch (RuntimeException | Error e) { // the future must be completed all the same
            NOT_TOLD.warn(e);
        }
        submission.reply(completions);
    }

    /** Gives a writer as many queued submissions as fit into one commit and need not wait for another one. */
    private List<Submission<?>> taken(Writer writer) {
        List<Submission<?>> batch = new ArrayList<>(Math.min(queue.size(), SubmissionQueue.MAX_BATCH));
        try {
            queue.moveTo(batch, delayed, writer.isAlone() || !writers.areSeveral());
            writer.begin(batch, writers.areSeveral());
        } catch (RuntimeException | Error failure) {
            failUnlessDone(batch, failure);
        }
        return batch;
    }

    private static void commit(Writer writer) {
        if (writer.batch().isEmpty()) {
            return;
        }
        // Meant for this thread, and codecs, ciphers and observers work for others too.
        boolean interrupted = Thread.interrupted();
        try {
            writer.commit();
        } catch (RuntimeException | Error failure) {
            failUnlessDone(writer.batch(), failure);
        } finally {
            Deadline.restoreInterrupt(interrupted);
        }
    }

    /** Nobody else would complete the submissions that were taken from the queue. Needs no memory. */
    private static void failUnlessDone(List<Submission<?>> batch, Throwable failure) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).failUnlessDone(failure);
        }
    }

    /** Commits all queued submissions by a writer that was taken with all others; {@link #tellAll} then completes their futures. */
    void commitTheRest(Writer writer) {
        while (!queue.isEmpty()) {
            try {
                List<Submission<?>> batch = taken(writer);
                commit(writer);
                writer.end();
                keepUntold(batch);
                wakeCallers(batch);
            } catch (RuntimeException | Error e) { // no memory to begin; nobody else would commit them
                NOT_COMMITTED.warn(e);
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    /**
     * Lets nobody wait for a commit that does not end, for example because code of the application does not return. Callers whose
     * writes it has taken do not learn whether they were made. All others are refused. Called after the writers were abandoned.
     */
    void leaveBehind() {
        leftBehind = true;
        refuseQueued();
        for (Writer writer : writers.all()) {
            for (Submission<?> submission : writer.batch()) {
                submission.replyFailure(completions, givenUp());
            }
        }
    }

    private void refuseQueued() {
        while (!queue.isEmpty()) {
            List<Submission<?>> batch = refused();
            keepUntold(batch);
            wakeCallers(batch);
        }
        tellAll();
    }

    private List<Submission<?>> refused() {
        List<Submission<?>> batch = new ArrayList<>();
        try {
            queue.moveTo(batch, submission -> false, true);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).fail(new StoreClosedException());
            }
        } catch (RuntimeException | Error failure) {
            failUnlessDone(batch, failure);
        }
        return batch;
    }

    /**
     * Closes the committing thread, and completes what was left to it, because it may be in a listener that does not return. From now
     * on, a thread that queues a submission commits it itself.
     */
    void close() {
        committer.close();
        committer.wake();
    }
}
