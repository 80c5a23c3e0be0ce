package dev.ttlstore.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Backlog;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.Sweep;

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

    /** Fair, so that a transaction gets its turn among those who lead, and they get theirs among transactions. */
    private final ReentrantLock writer = new ReentrantLock(true);

    private final Committer committer = new Committer(this::commitAllQueued);

    // Guarded by the writer's lock.
    private Mark mark;
    private long sequence;
    private boolean busy;

    private volatile @Nullable ExpiryTimer timer;

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
        this.mark = engine.mark();
        this.sequence = mark.sequence();
    }

    /**
     * Says whom to tell of commits that bring an expiry.
     *
     * @param expiryTimer the timer
     */
    public void setTimer(ExpiryTimer expiryTimer) {
        this.timer = expiryTimer;
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
        enqueue(Task.of(commands -> commands.clear(group), future));
        return future;
    }

    private void enqueue(Task<?> task) {
        queue.add(task);
        committer.wake();
    }

    /**
     * Removes all entries of a group.
     *
     * @param group the full group name
     * @return how many live entries went
     */
    public long clear(String group) {
        return awaitWrite(Task.of(commands -> commands.clear(group)));
    }

    /**
     * Removes all entries of some groups.
     *
     * @param groups the groups
     * @return how many live entries went
     */
    public long clear(GroupRange groups) {
        return awaitWrite(Task.of(commands -> commands.clear(groups)));
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
                boolean last = commands.deliveries().remove(name, limit);
                if (last) {
                    commands.whenCommitted(() -> subscribers.remove(name));
                }
                return last;
            }));
        }
    }

    /** Changes nothing, but writes to the engine as an entry would. */
    public void probe() {
        await(Task.of(SetWide::probe));
    }

    /**
     * Removes expired entries in a commit that ends with the step at hand when somebody waits for the next one, or the purging
     * thread is interrupted. Beside others the engine is let settle then.
     */
    Sweep purge(GroupRange groups, long until, int step) {
        Thread purging = Thread.currentThread();
        int most = dispatcher.hasListeners() ? PURGE_FOLLOWED : PURGE_ALONE;
        Sweep sweep = await(Task.of(commands -> commands.purge(
                groups, until, step, removed -> removed < most && isAlone() && !purging.isInterrupted())));
        if (sweep.more() && sweep.removed().size() < most) {
            engine.settle();
        }
        return sweep;
    }

    private boolean isAlone() {
        return queue.isEmpty() && !writer.hasQueuedThreads();
    }

    int forget(GroupRange groups, long until, int limit) {
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
        long asked = meter.start();
        CommitEvents delivery;
        R answer;
        writer.lock();
        try {
            busy = true;
            long start = meter.start();
            Draft draft = new Draft(settings(), engine, List.of());
            boolean committed = false;
            try {
                answer = work.apply(new DraftView(draft));
                engine.write(transaction -> {
                    if (transaction.isRepeated()) {
                        cache.failed();
                        draft.forgetSaved();
                    }
                    draft.store(transaction);
                    return true;
                });
                committed = true;
            } finally {
                if (!committed) {
                    cache.failed();
                    draft.undoAll();
                    sequence = draft.log().sequence(); // the work has seen its versions, which must never come again
                }
            }
            delivery = finish(draft, 1, start);
        } finally {
            busy = false;
            writer.unlock();
        }
        dispatcher.deliver(delivery);
        meter.written(asked);
        return answer;
    }

    /**
     * Throws when this thread is in a transaction, or asked to decode a value on the way of a write: what it does beside
     * would not see it, or wait for it.
     *
     * @throws IllegalStateException if so
     */
    public void requireNoTransaction() {
        if (writer.isHeldByCurrentThread() && busy) {
            throw new IllegalStateException(
                    "The store must not be used beside its transaction, inside of it, nor by a codec;"
                            + " use the groups of the transaction that was passed in");
        }
    }

    /** Commits what is queued, saves how far the store has come, and closes the engine. */
    public void close() {
        requireNoTransaction();
        writer.lock();
        List<Task<?>> told = new ArrayList<>();
        try {
            while (!queue.isEmpty()) {
                told.addAll(commitBatch());
            }
            Task<Boolean> last = Task.of(SetWide::touch);
            commit(List.of(last));
            if (last.failure() != null) {
                log.warn("Closing the store could not save how far it has come; nothing is lost by it", last.failure());
            }
        } finally {
            try {
                engine.close();
            } finally {
                writer.unlock();
            }
        }
        told.forEach(Task::wakeCaller);
        dispatcher.deliverAll();
        told.forEach(Task::tellFuture);
        committer.close();
    }

    private <R extends @Nullable Object> R awaitWrite(Task<R> task) {
        long start = meter.start();
        R answer = await(task);
        meter.written(start);
        return answer;
    }

    private <R extends @Nullable Object> R await(Task<R> task) {
        requireNoTransaction();
        queue.add(task);
        boolean interrupted = false;
        while (!task.isDone()) {
            if (!lead()) {
                LockSupport.park(this);
                interrupted |=
                        Thread.interrupted(); // a write is not given up, and a thread that is told so cannot wait
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
            writer.lock();
            try {
                batch = commitBatch();
            } finally {
                writer.unlock();
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
        dispatcher.deliver(task.delivery());
        task.tellFuture();
    }

    private List<Task<?>> commitBatch() {
        List<Task<?>> batch = queue.nextBatch();
        if (!batch.isEmpty()) {
            commit(batch);
        }
        return batch;
    }

    private void commit(List<Task<?>> batch) {
        Draft draft;
        long start = meter.start();
        busy = true; // a codec that asks the store now would wait for itself
        try {
            draft = engine.write(transaction -> {
                if (transaction.isRepeated()) {
                    cache.failed();
                    ledger.reset(); // it was told of what has not come to be
                }
                Draft drafted = new Draft(settings(), transaction.reads(), keys(batch));
                SetWide commands = new SetWide(drafted, transaction);
                for (Task<?> task : batch) {
                    task.decide(drafted, commands);
                }
                drafted.store(transaction);
                return drafted;
            });
        } catch (Throwable failure) { // an Error too must reach those who wait, or they would wait for good
            busy = false;
            cache.failed();
            ledger.reset(); // it may have been told of what has not come to be
            if (batch.size() == 1) {
                batch.get(0).fail(failure);
            } else {
                // One of them may be the cause (a value too large for the room left): let it fail alone.
                batch.forEach(task -> commit(List.of(task)));
            }
            return;
        }
        busy = false;
        CommitEvents delivery = finish(draft, batch.size(), start);
        batch.forEach(task -> task.complete(delivery));
    }

    private Draft.Settings settings() {
        return new Draft.Settings(clock, sequence, mark, retaining, subscribers.all(), ledger, cache);
    }

    private @Nullable CommitEvents finish(Draft draft, int writes, long start) {
        meter.committed(draft.log().events(), writes, start);
        cache.committed();
        sequence = draft.log().sequence();
        mark = draft.mark();
        draft.committed();
        ExpiryTimer watching = timer;
        if (watching != null) {
            watching.committed(draft.now(), draft.earliestExpiry());
        }
        if (draft.log().hasExpired() && !subscribers.areNone()) {
            subscribers.recorded();
        }
        return dispatcher.enqueue(draft.log().events());
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
