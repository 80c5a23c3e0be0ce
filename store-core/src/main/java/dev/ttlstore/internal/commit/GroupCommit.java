package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.engine.support.OnDemandThread;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.NodeQueue;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Lets callers share commits. Callers queue their submissions, and one of them leads: it commits all queued submissions, wakes
 * the callers whose submissions are done, and passes the lead to a waiting caller. So a lone caller writes in its own
 * thread, and many callers share a commit (flat combining: Hendler, Incze, Shavit and Tzafrir, SPAA 2010).
 * Thread-safe.
 */
final class GroupCommit {

    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    private static final SafeLog NOT_TOLD =
            new SafeLog(log, "Listeners and watches could not be notified of a commit; the commit itself succeeded");
    private static final SafeLog NOT_COMMITTED =
            new SafeLog(log, "The last writes could not be committed; this is retried");

    /** How often a waiting caller checks for itself. An error in another thread can swallow the signal. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final WriterLock writer;
    private final EventDispatcher dispatcher;
    private final Completions completions;
    private final Consumer<List<Submission<?>>> commits;
    private final SubmissionQueue queue = new SubmissionQueue();

    /** What is committed, or has failed, and whose replies are still to be given, in the order of their commits. */
    private final NodeQueue<Submission<?>> untold = new NodeQueue<>();

    private final AtomicBoolean led = new AtomicBoolean();

    /** What the commit in progress has taken from the queue; empty without a commit. */
    private volatile List<Submission<?>> committing = List.of();

    /** Whether the store is closed and the commit in progress, if there is one, is not waited for. */
    private volatile boolean leftBehind;

    private final OnDemandThread committer = new OnDemandThread(
            BackgroundThreads.named("ttl-store-commit"), "Asynchronous writes", this::commitAllQueued, true);

    /**
     * Creates a combiner with an empty queue.
     *
     * @param writer held during commits
     * @param dispatcher delivers the events of commits
     * @param completions completes the futures
     * @param commits commits a batch of submissions and completes each
     */
    GroupCommit(
            WriterLock writer,
            EventDispatcher dispatcher,
            Completions completions,
            Consumer<List<Submission<?>>> commits) {
        this.writer = writer;
        this.dispatcher = dispatcher;
        this.completions = completions;
        this.commits = commits;
    }

    /** Tests whether no submission waits for a commit. */
    boolean hasNoSubmissions() {
        return queue.isEmpty();
    }

    /** Tests whether nobody waits for a commit. */
    boolean isIdle() {
        return queue.isEmpty() && !writer.hasQueuedThreads();
    }

    /** Queues a submission for another thread to commit, which then completes the submission's future. */
    void enqueue(Submission<?> submission) {
        Headroom.require();
        queue.add(submission);
        committer.wake();
        if (leftBehind) {
            refuseQueued(); // nobody would lead
        }
    }

    /** Commits a submission, and returns after the listeners of the commit were called. */
    <R extends @Nullable Object> R await(Submission<R> submission) {
        Headroom.require();
        queue.add(submission);
        boolean interrupted = false;
        while (!submission.isDone() && !isGivenUp(submission)) {
            try {
                if (!lead()) {
                    if (leftBehind) {
                        refuseQueued();
                    }
                    LockSupport.parkNanos(this, LOOK_NANOS);
                    // An interrupt does not cancel a write, and a thread whose interrupt status is set cannot park.
                    interrupted |= Thread.interrupted();
                }
            } catch (RuntimeException | Error e) { // no stack or memory to lead or to wait
                if (submission.withdraw()) {
                    throw e;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!submission.isDone()) {
            throw givenUp();
        }
        dispatcher.deliver(submission.delivery());
        return submission.answer();
    }

    private boolean isGivenUp(Submission<?> submission) {
        return leftBehind && committing.contains(submission);
    }

    private static OutcomeUnknownException givenUp() {
        return new OutcomeUnknownException(
                "The store was closed while the write was being committed", new StoreClosedException());
    }

    private void commitAllQueued() {
        tellAll();
        boolean leading = true;
        while (leading && !queue.isEmpty()) {
            leading = lead(); // if false, another thread leads and sees these submissions
        }
    }

    /**
     * Commits the queued submissions, unless another thread is doing so. Returns false in that case; that thread sees every
     * submission that was queued before this call, because it checks the queue after it has given up the lead.
     */
    private boolean lead() {
        if (!led.compareAndSet(false, true)) {
            return false;
        }
        List<Submission<?>> batch = List.of();
        try {
            if (writer.lock()) {
                try {
                    batch = commitQueued();
                } finally {
                    writer.unlock();
                }
            } else {
                batch = complete(this::refuse);
            }
        } finally {
            led.set(false);
            end(batch);
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

    /** Needs no memory, because there may be none: whoever waits for a submission of the batch would wait for ever. */
    private void end(List<Submission<?>> batch) {
        keepUntold(batch);
        passLead();
        wakeCallers(batch);
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

    private void passLead() {
        Submission<?> next = queue.first();
        if (next != null && next.isAsync()) {
            committer.wake();
        } else if (next != null) {
            next.wakeCaller();
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

    /** Commits as many queued submissions as fit into one commit. Used under the writer's lock. */
    private List<Submission<?>> commitQueued() {
        return complete(this::commit);
    }

    private void commit(List<Submission<?>> batch) {
        committing = batch;
        // Meant for this thread, and codecs, ciphers and observers work for others too.
        boolean interrupted = Thread.interrupted();
        try {
            commits.accept(batch);
        } finally {
            committing = List.of();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<Submission<?>> complete(Consumer<? super List<Submission<?>>> action) {
        List<Submission<?>> batch = new ArrayList<>();
        try {
            queue.moveTo(batch);
            if (!batch.isEmpty()) {
                action.accept(batch);
            }
        } catch (RuntimeException | Error failure) { // nobody else would complete the submissions taken from the queue
            for (int i = 0; i < batch.size(); i++) { // needs no memory
                batch.get(i).failUnlessDone(failure);
            }
        }
        return batch;
    }

    /** Commits all queued submissions; {@link #tellAll} then completes their futures. Used under the writer's lock. */
    void commitTheRest() {
        while (!queue.isEmpty()) {
            try {
                List<Submission<?>> batch = commitQueued();
                keepUntold(batch);
                wakeCallers(batch);
            } catch (RuntimeException | Error e) { // no memory to begin; nobody else would commit them
                NOT_COMMITTED.warn(e);
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
        }
    }

    /**
     * Lets nobody wait for a commit that does not end, such as one that calls code of the application that does not return. Callers whose
     * writes it has taken do not learn whether they were made. All others are refused. Called after the writer's lock was abandoned.
     */
    void leaveBehind() {
        leftBehind = true;
        refuseQueued();
        for (Submission<?> submission : committing) {
            submission.replyFailure(completions, givenUp());
        }
    }

    private void refuseQueued() {
        while (!queue.isEmpty()) {
            List<Submission<?>> batch = complete(this::refuse);
            keepUntold(batch);
            wakeCallers(batch);
        }
        tellAll();
    }

    private void refuse(List<Submission<?>> batch) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).fail(writer.refusal());
        }
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
