package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * The one way in for a write: a mutation, for which its caller waits or not; a command over a range; a transaction; and the end
 * of all. Callers share commits, see {@link Combiner}.
 *
 * <p>Events leave in commit order, after the writer's lock has been given back, so that a listener may write. Thread-safe.
 */
public final class CommitPipeline {

    private static final Logger log = LoggerFactory.getLogger(CommitPipeline.class);

    private final EventDispatcher dispatcher;
    private final Meter meter;
    private final WriterLock writer = new WriterLock();
    private final CommitState state;
    private final BatchCommit batches;
    private final TransactionCommit transactions;
    private final Combiner combiner;
    private final RangeWrites ranges;

    /**
     * Starts a pipeline.
     *
     * @param engine where rows are kept
     * @param cache where some of them are kept at hand
     * @param clock the store's time
     * @param dispatcher who tells the events
     * @param ledger what namespaces take
     * @param retaining whether expired rows are kept when they are removed
     * @param subscribers get a delivery for each expired row of their groups that is removed
     * @param meter what counts commits
     */
    public CommitPipeline(
            Engine engine,
            RowCache cache,
            StoreClock clock,
            EventDispatcher dispatcher,
            UsageLedger ledger,
            boolean retaining,
            Subscribers subscribers,
            Meter meter) {
        this.dispatcher = dispatcher;
        this.meter = meter;
        this.state = new CommitState(engine, cache, clock, dispatcher, ledger, retaining, subscribers, meter);
        this.batches = new BatchCommit(state);
        this.transactions = new TransactionCommit(state);
        this.combiner = new Combiner(writer, dispatcher, batches::commit);
        this.ranges = new RangeWrites(this, engine, subscribers, dispatcher::hasListeners);
    }

    /**
     * Registers the listener for all later commits.
     *
     * @param listener the listener, which replaces an earlier one
     */
    public void onCommit(CommitListener listener) {
        state.onCommit(listener);
    }

    /**
     * The renewals of the commit in progress.
     *
     * @return where a reader that finds an entry expired looks for a renewal in progress
     */
    public PendingRenewals renewals() {
        return state.renewals();
    }

    /**
     * The writes that name no rows.
     *
     * @return those of this pipeline
     */
    public RangeWrites ranges() {
        return ranges;
    }

    /**
     * Commits a mutation, and returns when its listeners have been told.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        return awaitTimed(Task.of(mutation));
    }

    /**
     * Has a mutation committed.
     *
     * @param mutation the mutation
     * @return a future that is completed with its answer when its listeners have been told
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> CompletableFuture<R> submitAsync(Mutation<R> mutation) {
        CompletableFuture<R> future = new CompletableFuture<>();
        timed(future);
        combiner.enqueue(Task.of(mutation, future));
        return future;
    }

    /** Runs a command in a commit of its own, and returns when its listeners have been told. */
    <R extends @Nullable Object> R run(RangeCommands.Command<R> command) {
        return await(Task.of(command));
    }

    /** The same for one that counts as a write of a caller. */
    <R extends @Nullable Object> R runTimed(RangeCommands.Command<R> command) {
        return awaitTimed(Task.of(command));
    }

    /** Has a command run in a commit of its own. */
    <R extends @Nullable Object> void runAsync(RangeCommands.Command<R> command, CompletableFuture<R> future) {
        combiner.enqueue(Task.of(command, future));
    }

    /** Has observers told how long a write takes, until its future is completed. */
    void timed(CompletableFuture<?> future) {
        meter.written(future);
    }

    /** Whether nobody waits for a commit. */
    boolean isIdle() {
        return combiner.isIdle();
    }

    private <R extends @Nullable Object> R awaitTimed(Task<R> task) {
        long start = meter.start();
        R answer = await(task);
        meter.written(start);
        return answer;
    }

    private <R extends @Nullable Object> R await(Task<R> task) {
        requireNoTransaction();
        return combiner.await(task);
    }

    /**
     * Runs a caller's work in a commit of its own, and returns when its listeners have been told. Other writers wait
     * meanwhile; readers don't, and see nothing of it before it is done. When the work throws, nothing has happened.
     *
     * @param work the work
     * @return what it returned
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R transact(Function<DraftView, R> work) {
        requireNoTransaction();
        Headroom.require();
        long asked = meter.start();
        TransactionCommit.Transacted<R> transacted;
        if (!writer.lock()) {
            throw writer.refusal();
        }
        try {
            transacted = transactions.transact(work);
        } finally {
            writer.unlock();
        }
        dispatcher.deliver(transacted.delivery());
        meter.written(asked);
        return transacted.answer();
    }

    /**
     * Throws when this thread is in a transaction, or was asked to decode a value or to observe a commit on the way of a write:
     * what it does beside would not see it, or wait for it.
     *
     * @throws IllegalStateException if so
     */
    public void requireNoTransaction() {
        if (writer.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "The store must not be used within its own transaction, nor by a codec or an observer;"
                            + " use the groups of the transaction that was passed in");
        }
    }

    /**
     * Commits what is queued, saves how far the store has come, closes the engine, and has the events of all that told. A
     * transaction, or a listener, that does not end in time is left behind: what the one would commit then is refused, and so
     * is what has waited for it.
     *
     * @param deadline until when to wait for them
     * @param refusal what to tell those who have waited for a transaction that is left behind
     */
    public void close(Deadline deadline, Supplier<? extends RuntimeException> refusal) {
        requireNoTransaction();
        List<Task<?>> told = new ArrayList<>();
        boolean alone = deadline.tryUntil(writer::tryLock);
        try {
            if (alone) {
                combiner.commitTheRest(told);
                saveState();
            } else {
                log.warn("A transaction has not ended in time, so the store closes without it. Its commit is"
                        + " refused, and so are the writes that waited for it. To wait longer, raise the"
                        + " builder's closeTimeout(…)");
                writer.abandon(refusal);
            }
        } finally {
            try {
                state.engine().close();
            } finally {
                if (alone) {
                    writer.unlock();
                }
            }
        }
        told.forEach(Task::wakeCaller);
        dispatcher.deliverAll(deadline);
        told.forEach(Task::tellFuture);
        combiner.close();
    }

    private void saveState() {
        Task<Boolean> last = Task.of(RangeCommands::touch);
        batches.commit(List.of(last));
        if (last.failure() != null) {
            log.warn("The state of the store could not be saved on close; no data is lost", last.failure());
        }
    }
}
