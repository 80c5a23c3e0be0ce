package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.internal.base.LockHolder;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.EventDispatcher.CommitEvents;

import static java.util.Objects.requireNonNull;

/**
 * Commits one batch after the other, and keeps what the store has in memory in step with each: the cache, the renewals in progress, the counts
 * and the events. Used by the thread that has taken it from the {@link Writers}.
 */
final class Writer implements CommitObserver {

    private final CommitContext context;
    private final RowCache.Changes cached;
    private final LockHolder holder = new LockHolder("dev.ttlstore.internal.commit.");
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether all writers were taken together, and this is the one to use. */
    private boolean alone;

    /** What it has taken from the queue; empty without a commit. */
    private volatile List<Submission<?>> batch = List.of();

    /** The rows whose later writes must wait for the end of this commit, because one caller may have submitted both. */
    private volatile Set<RowKey> ordered = Set.of();

    /** The part of the data that the current commit is about. */
    private volatile int part = Engine.ANY_PART;

    /** How many writes share the current commit. */
    private int served;

    /** When the current commit began, as the meter measures it. */
    private long start;

    /** Whether the engine has got everything that the current commit stores. */
    private boolean stored;

    /** The renewals of the current commit; null if it has announced none. */
    private PendingRenewals.@Nullable Announced renewing;

    /** What the current commit has come to, once it is made. */
    private @Nullable Committed committed;

    /** The events of the current commit, once it is made. */
    private @Nullable CommitEvents delivery;

    Writer(CommitContext context) {
        this.context = context;
        this.cached = context.cache().changes();
    }

    boolean tryTake() {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        holder.taken();
        return true;
    }

    void takeAlone() {
        taken.set(true);
        alone = true;
        holder.taken();
    }

    /** Makes this thread the one that has it, in the place of another one that works with it. */
    void adopt() {
        holder.taken();
    }

    /** Makes it free. Returns whether all writers were taken together. */
    boolean giveBack() {
        boolean withAll = alone;
        end();
        alone = false;
        holder.givenBack();
        taken.set(false);
        return withAll;
    }

    /** Tests whether it was taken with all others, so that no other commit is under way. */
    boolean isAlone() {
        return alone;
    }

    boolean isMine() {
        return holder.isCurrentThread();
    }

    boolean isLost() {
        return holder.isLost();
    }

    /**
     * Takes what it is about to commit.
     *
     * @param submissions what it was given
     * @param beside whether other writers may commit meanwhile
     */
    void begin(List<Submission<?>> submissions, boolean beside) {
        if (beside) {
            ordered = ordered(submissions);
        }
        part = submissions.isEmpty() ? Engine.ANY_PART : submissions.get(0).part();
        batch = submissions;
    }

    /** Forgets what it has committed. */
    void end() {
        batch = List.of();
        ordered = Set.of();
        part = Engine.ANY_PART;
    }

    /** What it has taken from the queue and not yet answered. */
    List<Submission<?>> batch() {
        return batch;
    }

    /** Returns the rows that asynchronous writes look at. */
    private static Set<RowKey> ordered(List<Submission<?>> submissions) {
        Set<RowKey> keys = Set.of();
        for (Submission<?> submission : submissions) {
            if (submission.isAsync() && !submission.isCommand()) {
                keys = keys.isEmpty() ? new HashSet<>() : keys;
                keys.addAll(submission.request().keys());
            }
        }
        return keys;
    }

    /** Tests whether a write must not be sent before this commit has ended. */
    boolean delays(Submission<?> submission) {
        if (submission.part() >= 0 && submission.part() == part) {
            return true;
        }
        if (submission.isCommand()) {
            return false;
        }
        List<Request.Check> checks = submission.request().checks();
        List<Operation> operations = submission.request().operations();
        if (checks.isEmpty() && operations.isEmpty()) { // it only waits for those before it
            return !batch.isEmpty();
        }
        Set<RowKey> keys = ordered;
        if (keys.isEmpty()) {
            return false;
        }
        for (int i = 0; i < checks.size(); i++) { // needs no memory
            if (keys.contains(checks.get(i).key())) {
                return true;
            }
        }
        for (int i = 0; i < operations.size(); i++) {
            if (keys.contains(operations.get(i).key())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Commits what it has taken, and completes it: when this returns, each submission is complete or has failed. After a conflict the batch is
     * committed again. If the engine refuses it, each submission is tried in a commit of its own. If its rows take too much memory, it is split.
     */
    void commit() {
        commit(batch);
    }

    private void commit(List<Submission<?>> submissions) {
        boolean done;
        do {
            done = tryToCommit(submissions);
        } while (!done);
    }

    /** Returns false after a conflict. */
    private boolean tryToCommit(List<Submission<?>> submissions) {
        Committed done;
        try {
            done = commit(of(submissions), submissions.size());
        } catch (ConflictException e) {
            return false;
        } catch (LargeLoadException e) {
            int half = submissions.size() / 2;
            commit(submissions.subList(0, half));
            commit(submissions.subList(half, submissions.size()));
            return true;
        } catch (Throwable failure) { // an Error must reach the waiting callers too, or they would wait for ever
            failed(submissions, failure);
            return true;
        }
        // Needs no memory: the commit is made, and each caller must hear of it.
        for (int i = 0; i < submissions.size(); i++) {
            submissions.get(i).complete(done, i, delivery);
        }
        return true;
    }

    private Batch of(List<Submission<?>> submissions) {
        Command<?> command = submissions.get(0).command();
        if (command != null) {
            return new Batch.Run(context.settings(), command);
        }
        if (submissions.size() == 1) {
            return new Batch.Requests(
                    context.settings(), List.of(submissions.get(0).request()));
        }
        List<Request> requests = new ArrayList<>(submissions.size());
        for (Submission<?> submission : submissions) {
            requests.add(submission.request());
        }
        return new Batch.Requests(context.settings(), requests);
    }

    private void failed(List<Submission<?>> submissions, Throwable failure) {
        if (submissions.size() == 1) {
            submissions.get(0).fail(failure);
        } else if (mayHaveCommitted(failure) || failure instanceof StoreUnavailableException) {
            // No submission may run twice; and where no server answers, each would wait as long as the whole batch.
            for (int i = 0; i < submissions.size(); i++) { // here and below: there may be no memory to make a lambda
                submissions.get(i).fail(failure);
            }
        } else {
            // One may be the cause, such as a value that is too large for the room left. It then fails alone.
            for (int i = 0; i < submissions.size(); i++) {
                commit(submissions.subList(i, i + 1));
            }
        }
    }

    /**
     * Commits a batch once. If this throws, it is not committed, unless it {@linkplain #mayHaveCommitted may have been}.
     *
     * @param work the batch
     * @param writes how many writes share it
     * @return what it has come to; {@link #delivery} has its events
     */
    Committed commit(Batch work, int writes) {
        served = writes;
        start = context.meter().start();
        stored = false;
        committed = null;
        delivery = null;
        try {
            context.engine().apply(work, this);
        } catch (RuntimeException | Error e) {
            if (committed == null) {
                cached.failed();
                throw e;
            }
            CommitContext.END_FAILED.warn(e); // the commit is made, and a second run would count twice
        } finally {
            endRenewals();
        }
        Committed done = requireNonNull(committed);
        committed = null; // its values are the callers' from now on
        return done;
    }

    /** Returns the events of the last commit, to be delivered; null if there are none, or if nobody listens. */
    @Nullable
    CommitEvents delivery() {
        return delivery;
    }

    /**
     * Tests whether the last commit may have succeeded, although it has failed. An {@code Error} during the commit leaves that open, and an engine
     * may report that it does not know.
     */
    boolean mayHaveCommitted(Throwable failure) {
        return stored && (failure instanceof Error || failure instanceof OutcomeUnknownException);
    }

    @Override
    public void storing(WriteSet writes) {
        for (RowChange change : writes.rows()) {
            cached.change(change.key(), change.after());
        }
        for (Change change : writes.changes()) {
            switch (change.kind()) {
                case EXPIRED ->
                    cached.change(new RowKey(change.group(), change.key()), null); // a purge changes no rows
                case GROUP_DELETED -> cached.clear(change.group());
                default -> {
                    // One of the rows above, or nothing that is cached.
                }
            }
        }
        renewing = context.renewals().begin(writes);
        stored = true;
    }

    @Override
    public void sending(Collection<RowKey> rows) {
        for (RowKey row : rows) {
            cached.change(row, null);
        }
        stored = true;
    }

    @Override
    public void abandoned() {
        stored = false;
        endRenewals();
        cached.failed();
    }

    private void endRenewals() {
        PendingRenewals.Announced announced = renewing;
        if (announced != null) {
            renewing = null;
            context.renewals().end(announced);
        }
    }

    @Override
    public void committed(Committed done) {
        committed = done;
        try {
            try {
                endRenewals();
            } finally {
                cached.committed();
            }
        } catch (RuntimeException | Error e) {
            CommitContext.END_FAILED.warn(e);
        }
        delivery = context.committed(done, served, start);
    }
}
