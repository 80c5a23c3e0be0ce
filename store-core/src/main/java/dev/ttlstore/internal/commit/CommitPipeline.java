package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Backlog;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Headroom;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.Progress;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.RangeCommands.Cleared;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.CommitEvents;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * The one way in for a write. Callers queue their mutation, and one of them leads: it commits all that has queued, in one
 * transaction, wakes those whose mutations are done and leaves the lead to one that waits. A lone caller thus writes in its
 * own thread, and many callers share a commit (flat combining: Hendler, Incze, Shavit and Tzafrir, SPAA 2010).
 *
 * <p>Events leave in commit order, after the writer's lock has been given back, so that a listener may write.
 */
public final class CommitPipeline {

    private static final Logger log = LoggerFactory.getLogger(CommitPipeline.class);

    /** What a purge removes at most in one commit, for removing more at once writes less for each. */
    private static final int PURGE_ALONE = 16_000;

    /** The same when there are listeners, so that a watch can follow. */
    private static final int PURGE_FOLLOWED = 1_000;

    /** Runs of a transaction, for its entries expire meanwhile, after which the log says so. */
    private static final int NOTABLE_RUNS = 10;

    /** Who waits looks for itself now and then: an error in the thread of another can swallow its signal. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Deliveries of a subscriber that goes that are removed in one commit. */
    private static final int REMOVED_AT_ONCE = 1_000;

    private final Engine engine;
    private final RowCache cache;
    private final StoreClock clock;
    private final EventDispatcher dispatcher;
    private final UsageLedger ledger;
    private final boolean retaining;
    private final Subscribers subscribers;
    private final Meter meter;
    private final TaskQueue queue = new TaskQueue();
    private final Queue<Task<?>> untold = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean led = new AtomicBoolean();

    private final WriterLock writer = new WriterLock();
    private final Committer committer = new Committer(this::commitAllQueued);
    private final PendingRenewals renewals = new PendingRenewals();

    // Guarded by the writer's lock.
    private StoreState state;
    private long sequence;

    /** What the engine is to commit, or has committed. */
    private @Nullable Draft stored;

    private volatile CommitListener listener = CommitListener.NONE;

    /**
     * Starts a pipeline.
     *
     * @param engine where rows are kept
     * @param cache where some of them are kept at hand
     * @param clock the store's time
     * @param dispatcher who tells the events
     * @param ledger what namespaces take
     * @param retaining whether expired rows are kept when they are removed
     * @param subscribers for whom expired rows are recorded when they are removed
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
        this.engine = engine;
        this.cache = cache;
        this.clock = clock;
        this.dispatcher = dispatcher;
        this.ledger = ledger;
        this.retaining = retaining;
        this.subscribers = subscribers;
        this.meter = meter;
        this.state = engine.state();
        this.sequence = state.sequence();
    }

    /**
     * Says whom to tell of commits from now on.
     *
     * @param commitListener the one listener; another takes its place
     */
    public void onCommit(CommitListener commitListener) {
        this.listener = commitListener;
    }

    /**
     * The renewals of the commit in progress.
     *
     * @return whom readers ask that find an entry expired
     */
    public PendingRenewals renewals() {
        return renewals;
    }

    /**
     * Commits a mutation, and returns when its listeners have been told.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        return awaitWrite(Task.of(mutation));
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
        meter.written(future);
        enqueue(Task.of(mutation, future));
        return future;
    }

    /**
     * Has all entries of a group removed.
     *
     * @param group the full group name
     * @return a future that is completed with the number of live entries when its listeners have been told
     */
    public CompletableFuture<Long> clearAsync(String group) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        meter.written(future);
        clearAsync(group, 0, future);
        return future;
    }

    private void clearAsync(String group, long removedBefore, CompletableFuture<Long> whole) {
        CompletableFuture<Cleared> part = new CompletableFuture<>();
        CompletableFuture<Cleared> unused = part.whenComplete((cleared, failure) -> {
            try {
                if (failure != null) {
                    whole.completeExceptionally(failure);
                } else if (cleared.more()) {
                    clearAsync(group, removedBefore + cleared.removed(), whole);
                } else {
                    whole.complete(removedBefore + cleared.removed());
                }
            } catch (RuntimeException | Error e) {
                whole.completeExceptionally(e);
            }
        });
        enqueue(Task.of(commands -> commands.clear(group), part));
    }

    private void enqueue(Task<?> task) {
        Headroom.require();
        queue.add(task);
        committer.wake();
    }

    /**
     * Removes all entries of a group, in one commit unless the disk is full.
     *
     * @param group the full group name
     * @return how many live entries went
     */
    public long clear(String group) {
        return clearInParts(commands -> commands.clear(group));
    }

    /**
     * Removes all entries of some groups, in one commit unless the disk is full.
     *
     * @param groups the groups
     * @return how many live entries went
     */
    public long clear(GroupRange groups) {
        return clearInParts(commands -> commands.clear(groups));
    }

    private long clearInParts(RangeCommands.Command<Cleared> command) {
        Progress progress = new Progress("Clearing groups");
        Cleared cleared;
        do {
            cleared = awaitWrite(Task.of(command));
            progress.add(cleared.removed());
        } while (cleared.more());
        return progress.done();
    }

    /**
     * Tells what a namespace takes.
     *
     * @param namespace the namespace
     * @return its live entries
     */
    public UsageTotals usage(String namespace) {
        return await(Task.of(commands -> commands.usage(namespace)));
    }

    /**
     * Changes deliveries.
     *
     * @param work the changes
     * @return what it returned
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R deliveries(Function<DeliveryWrites, R> work) {
        return await(Task.of(commands -> work.apply(commands.deliveries())));
    }

    /**
     * Adds a subscriber, or gives one of its name other groups: what commits after this one find expired is recorded for it.
     *
     * @param subscriber the subscriber
     */
    public void subscribe(Subscriber subscriber) {
        boolean unused = await(Task.of(commands -> {
            commands.deliveries().add(subscriber);
            commands.whenCommitted(() -> subscribers.add(subscriber));
            return true;
        }));
    }

    /**
     * Removes a subscriber and its deliveries, of these some at a time so that others can write meanwhile. The last commit
     * removes the subscriber with those that are left, and no later one records any for it; before that it is as others are.
     *
     * @param name the name of the subscriber
     */
    public void unsubscribe(String name) {
        Backlog backlog = engine.deliveries().backlog(name);
        long rounds = (backlog.pending() + backlog.dead()) / REMOVED_AT_ONCE;
        boolean gone = false;
        while (!gone) {
            int limit = rounds-- >= 0 ? REMOVED_AT_ONCE : Integer.MAX_VALUE; // more may come as fast as they go
            gone = await(Task.of(commands -> {
                boolean last = commands.unsubscribe(name, limit);
                if (last) {
                    commands.whenCommitted(() -> subscribers.remove(name));
                }
                return last;
            }));
        }
    }

    /** Changes nothing, but writes to the engine as an entry would. */
    public void probe() {
        await(Task.of(RangeCommands::probe));
    }

    /**
     * Removes expired entries in a commit that ends with the step at hand when somebody waits for the next one, or the purging
     * thread is interrupted. Beside others the engine is let settle then.
     *
     * @param groups the groups
     * @param until the time by which they have expired
     * @param step how many to remove before looking whether to end
     * @return what has been removed, and whether there is more
     */
    public PurgeResult purge(GroupRange groups, long until, int step) {
        Thread purging = Thread.currentThread();
        int most = dispatcher.hasListeners() ? PURGE_FOLLOWED : PURGE_ALONE;
        PurgeResult purged = await(Task.of(commands -> commands.purge(
                groups, until, step, removed -> removed < most && isAlone() && !purging.isInterrupted())));
        if (purged.more() && purged.removed().size() < most) {
            engine.settle();
        }
        return purged;
    }

    private boolean isAlone() {
        return queue.isEmpty() && !writer.hasQueuedThreads();
    }

    /**
     * Removes what is kept of expired entries for an audit.
     *
     * @param groups the groups
     * @param until the expiry up to which to remove it
     * @param limit how many at most
     * @return how many have been removed
     */
    public int forget(GroupRange groups, long until, int limit) {
        return await(Task.of(commands -> commands.forget(groups, until, limit)));
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
        Transacted<R> transacted;
        if (!writer.lock()) {
            throw writer.refusal();
        }
        try {
            transacted = transactUntilInTime(work);
        } finally {
            writer.unlock();
        }
        dispatcher.deliver(transacted.delivery());
        meter.written(asked);
        return transacted.answer();
    }

    private record Transacted<R extends @Nullable Object>(
            R answer, @Nullable CommitEvents delivery) {}

    /** Each further run has fewer entries that can expire meanwhile, for nobody else writes. */
    private <R extends @Nullable Object> Transacted<R> transactUntilInTime(Function<DraftView, R> work) {
        for (int run = 1; ; run++) {
            try {
                return transactOnce(work);
            } catch (Overtaken e) { // transactOnce has undone it
                if (run % NOTABLE_RUNS == 0) {
                    log.warn(
                            "A transaction has run {} times, for entries that it renews expire while it runs, and others"
                                    + " wait meanwhile; do less in it",
                            run);
                }
            }
        }
    }

    private <R extends @Nullable Object> Transacted<R> transactOnce(Function<DraftView, R> work) {
        long start = meter.start();
        Draft draft = new Draft(settings(this::reserve), engine, List.of());
        boolean committed = false;
        try {
            R answer = work.apply(new DraftView(draft));
            try {
                engine.write(transaction -> {
                    if (transaction.isRepeated()) {
                        renewals.end();
                        cache.failed();
                        draft.forgetSaved();
                    }
                    storeInTime(draft, transaction);
                    return true;
                });
            } finally {
                renewals.end();
            }
            committed = true;
            return new Transacted<>(answer, finish(draft, 1, start));
        } finally {
            if (!committed) {
                sequence = draft.log().sequence(); // the work has seen its versions, which must never come again
                cache.failed();
                draft.undoAll();
            }
        }
    }

    /** The last thing before the engine commits. */
    private void storeInTime(Draft draft, EngineTransaction transaction) {
        draft.store(transaction);
        renewals.begin(draft);
        if (draft.isOvertaken(clock.now())) {
            renewals.end();
            throw new Overtaken(draft);
        }
        stored = draft;
    }

    /** A transaction shows its versions to its caller, and may then come to nothing, or be cut off with the process. */
    private StoreState reserve(long upTo, StoreState before) {
        StoreState reserved = new StoreState(upTo, Math.max(before.time(), clock.now()));
        engine.write(transaction -> {
            transaction.save(reserved);
            return true;
        });
        state = reserved;
        return reserved;
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
                    "The store must not be used beside its transaction, inside of it, nor by a codec or an observer;"
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
                commitTheRest(told);
            } else {
                log.warn(
                        "A transaction has not ended in time. The store is closed without waiting for it any longer; what it"
                                + " would commit is refused, and what has waited for it. To wait longer raise the builder's"
                                + " closeTimeout(…)");
                writer.abandon(refusal);
            }
        } finally {
            try {
                engine.close();
            } finally {
                if (alone) {
                    writer.unlock();
                }
            }
        }
        told.forEach(Task::wakeCaller);
        dispatcher.deliverAll(deadline);
        told.forEach(Task::tellFuture);
        committer.close();
    }

    private void commitTheRest(List<Task<?>> told) {
        while (!queue.isEmpty()) {
            told.addAll(commitBatch());
        }
        Task<Boolean> last = Task.of(RangeCommands::touch);
        commit(List.of(last));
        if (last.failure() != null) {
            log.warn("Closing the store could not save how far it has come; nothing is lost by it", last.failure());
        }
    }

    private <R extends @Nullable Object> R awaitWrite(Task<R> task) {
        long start = meter.start();
        R answer = await(task);
        meter.written(start);
        return answer;
    }

    private <R extends @Nullable Object> R await(Task<R> task) {
        requireNoTransaction();
        Headroom.require();
        queue.add(task);
        boolean interrupted = false;
        while (!task.isDone()) {
            try {
                if (!lead()) {
                    LockSupport.parkNanos(this, LOOK_NANOS);
                    interrupted |=
                            Thread.interrupted(); // a write is not given up, and a thread that is told so cannot wait
                }
            } catch (RuntimeException | Error e) { // no room to lead, or to wait
                if (task.withdraw()) {
                    throw e;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        dispatcher.deliver(task.delivery());
        return task.answer();
    }

    private void commitAllQueued() {
        for (Task<?> task = untold.poll(); task != null; task = untold.poll()) {
            tell(task);
        }
        boolean leading = true;
        while (leading && !queue.isEmpty()) {
            leading = lead(); // if not, somebody else does, and will see what there is
        }
    }

    /**
     * Commits what is queued, unless somebody else is at it: then false, and they will see what was queued before this was
     * asked, for they look at the queue after they have left the lead.
     */
    private boolean lead() {
        if (!led.compareAndSet(false, true)) {
            return false;
        }
        List<Task<?>> batch = List.of();
        try {
            if (writer.lock()) {
                try {
                    batch = commitBatch();
                } finally {
                    writer.unlock();
                }
            } else {
                batch = refuseBatch();
            }
        } finally {
            led.set(false);
            passLead();
            batch.forEach(Task::wakeCaller);
        }
        tellFutures(batch);
        return true;
    }

    private void passLead() {
        Task<?> next = queue.first();
        if (next != null && next.isAsync()) {
            committer.wake();
        } else if (next != null) {
            next.wakeCaller();
        }
    }

    private void tellFutures(List<Task<?>> batch) {
        boolean inListener = dispatcher.isTelling();
        for (Task<?> task : batch) {
            if (task.isAsync() && inListener) {
                untold.add(task); // its own listeners come after the event at hand, and its future after those
                committer.wake();
            } else if (task.isAsync()) {
                tell(task);
            }
        }
    }

    private void tell(Task<?> task) {
        try {
            dispatcher.deliver(task.delivery());
        } catch (RuntimeException | Error e) { // the others are to be told as well
            SafeLog.warn(log, "A commit could not be told to listeners and watches; it stands", e);
        } finally {
            task.tellFuture();
        }
    }

    private List<Task<?>> commitBatch() {
        List<Task<?>> batch = new ArrayList<>();
        try {
            queue.moveTo(batch);
            if (!batch.isEmpty()) {
                commit(batch);
            }
        } catch (RuntimeException | Error failure) { // what was taken from the queue has nobody else to complete it
            batch.forEach(task -> task.failUnlessDone(failure));
        }
        return batch;
    }

    private List<Task<?>> refuseBatch() {
        List<Task<?>> batch = new ArrayList<>();
        queue.moveTo(batch);
        batch.forEach(task -> task.fail(writer.refusal()));
        return batch;
    }

    private void commit(List<Task<?>> batch) {
        boolean decided;
        do {
            decided = commitOnce(batch);
        } while (!decided);
    }

    /** False when an entry has expired meanwhile, and all is to be decided again. */
    private boolean commitOnce(List<Task<?>> batch) {
        long start = meter.start();
        Draft draft;
        stored = null;
        try {
            draft = engine.write(transaction -> decide(batch, transaction));
        } catch (Overtaken e) {
            cache.failed();
            e.draft().undoAll();
            return false;
        } catch (Throwable failure) { // an Error too must reach those who wait, or they would wait for good
            renewals.end();
            failed(batch, failure);
            return true;
        } finally {
            renewals.end();
        }
        CommitEvents delivery = finish(draft, batch.size(), start);
        batch.forEach(task -> task.complete(delivery));
        return true;
    }

    private Draft decide(List<Task<?>> batch, EngineTransaction transaction) {
        if (transaction.isRepeated()) {
            renewals.end();
            cache.failed();
            ledger.reset(); // it was told of what has not come to be
            stored = null;
        }
        Draft draft = new Draft(settings(Draft.Reserve.WITH_COMMIT), transaction.reads(), keys(batch));
        RangeCommands commands = new RangeCommands(draft, transaction);
        for (Task<?> task : batch) {
            task.decide(draft, commands);
        }
        storeInTime(draft, transaction);
        return draft;
    }

    private void failed(List<Task<?>> batch, Throwable failure) {
        Draft maybeCommitted = failure instanceof Error ? stored : null;
        if (maybeCommitted != null) {
            sequence = maybeCommitted.log().sequence(); // these versions may stand in the engine
        }
        cache.failed();
        ledger.reset(); // it may have been told of what has not come to be
        if (batch.size() == 1) {
            batch.get(0).fail(failure);
        } else if (maybeCommitted != null) {
            // An error on the way of the commit does not say whether it was made, and nothing may be done twice.
            batch.forEach(task -> task.fail(failure));
        } else {
            // One of them may be the cause (a value too large for the room left): let it fail alone.
            batch.forEach(task -> commit(List.of(task)));
        }
    }

    private Draft.Settings settings(Draft.Reserve reserve) {
        return new Draft.Settings(clock, sequence, state, retaining, subscribers.all(), ledger, reserve, cache);
    }

    /** The commit stands, whatever happens here. */
    private @Nullable CommitEvents finish(Draft draft, int writes, long start) {
        sequence = draft.log().sequence();
        state = draft.state();
        try {
            cache.committed();
            draft.committed();
            listener.committed(draft.now(), draft.earliestExpiry(), draft.log().hasExpired());
            meter.committed(draft.log().events(), writes, start);
            return dispatcher.enqueue(draft.log().events());
        } catch (RuntimeException | Error e) {
            SafeLog.warn(log, "A commit stands, but what follows on it has failed; its events may be missing", e);
            return null;
        }
    }

    private static Collection<RowKey> keys(List<Task<?>> batch) {
        if (batch.size() == 1) {
            Mutation<?> only = batch.get(0).mutation();
            return only == null ? List.of() : only.keys();
        }
        Set<RowKey> keys = new LinkedHashSet<>();
        for (Task<?> task : batch) {
            Mutation<?> mutation = task.mutation();
            if (mutation != null) {
                keys.addAll(mutation.keys());
            }
        }
        return keys;
    }
}
