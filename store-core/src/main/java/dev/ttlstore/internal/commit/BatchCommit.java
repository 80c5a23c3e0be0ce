package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.Found;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Supposition;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * Commits a batch of submissions in one transaction. It loads the rows that the submissions name, lets each submission decide, stores
 * the changes, and completes the submissions. If the engine refuses a batch, each submission is tried in a commit of its own. If the rows of a batch
 * take too much memory, it is split.
 * Used under the writer's lock.
 */
final class BatchCommit {

    private static final Logger log = LoggerFactory.getLogger(BatchCommit.class);

    private static final SafeLog END_FAILED = new SafeLog(log, "A commit succeeded, but its end has failed");

    private final CommitState state;

    /** Whether the engine has run the current commit. */
    private boolean begun;

    /** Whether the engine has got everything that the current commit stores. */
    private boolean stored;

    /** Whether the current commit is made. */
    private boolean finished;

    /** The events of the current commit, once it is made. */
    private @Nullable CommitEvents delivery;

    BatchCommit(CommitState state) {
        this.state = state;
    }

    /** Commits submissions. When it returns, each submission is complete or has failed. */
    void commit(List<Submission<?>> batch) {
        boolean decided;
        do {
            decided = commitOnce(batch);
        } while (!decided);
    }

    /**
     * Runs the batch once. Returns false if everything must be decided again, because an entry has expired meanwhile
     * or another owner has changed rows.
     */
    private boolean commitOnce(List<Submission<?>> batch) {
        long start = state.start();
        begun = false;
        stored = false;
        delivery = null;
        finished = false;
        try {
            Draft unused = state.engine().write(transaction -> decide(batch, transaction), draft -> {
                delivery = state.finish(withFound(batch, draft), batch.size(), start);
                finished = true;
            });
        } catch (Overtaken | ConflictException e) {
            state.failed();
            return false;
        } catch (LargeLoadException e) {
            state.failed();
            inHalves(batch);
            return true;
        } catch (Throwable failure) {
            if (finished) { // the commit is made, and a second run would count twice
                complete(batch); // first: there may be no memory for the message
                END_FAILED.warn(failure);
                return true;
            }
            // An Error must reach the waiting callers too, or they would wait forever.
            state.renewals().end();
            failed(batch, failure);
            return true;
        } finally {
            state.renewals().end();
        }
        complete(batch);
        return true;
    }

    private void complete(List<Submission<?>> batch) {
        CommitEvents events = delivery;
        for (int i = 0; i < batch.size(); i++) { // needs no memory: the commit is made, and each caller must hear of it
            batch.get(i).complete(events);
        }
    }

    private Draft decide(List<Submission<?>> batch, EngineTransaction transaction) {
        if (begun) { // the engine has made room, after it has undone the first run
            state.repeated();
            stored = false;
        }
        begun = true;
        Draft draft = draft(batch, transaction);
        RangeCommands commands = new RangeCommands(draft, transaction);
        for (Submission<?> submission : batch) {
            submission.decide(draft, commands);
        }
        state.storeInTime(draft, transaction);
        stored = true;
        return draft;
    }

    private void inHalves(List<Submission<?>> batch) {
        int half = batch.size() / 2;
        commit(batch.subList(0, half));
        commit(batch.subList(half, batch.size()));
    }

    private Draft draft(List<Submission<?>> batch, EngineTransaction transaction) {
        if (batch.size() > 1) {
            transaction.limitLoad(SubmissionQueue.MAX_BYTES); // of a single caller, it is what that asks for
        }
        List<Request> requests =
                state.isShared() ? requests(batch) : List.of(); // an engine of one process has no long way to its rows
        Supposition supposed = requests.isEmpty() ? null : transaction.suppose(requests);
        return supposed == null
                ? new Draft(state.settings(), transaction, keys(batch))
                : new Draft(state.settings(), transaction, supposed);
    }

    /** Returns the requests of a batch; none if it needs more than their rows: the usage of a namespace with a quota, or what a command loads. */
    private List<Request> requests(List<Submission<?>> batch) {
        List<Request> requests = new ArrayList<>(batch.size());
        for (Submission<?> submission : batch) {
            Request request = submission.request();
            if (request == null || state.settings().quotas().isLimiting(request)) {
                return List.of();
            }
            requests.add(request);
        }
        return requests;
    }

    /**
     * Decides again by the rows that the engine has found, if a draft was decided by others that stand in for them. If the engine has
     * changed nothing because they are not as expected, that must be what the requests come to, too.
     */
    private Draft withFound(List<Submission<?>> batch, Draft draft) {
        EngineTransaction transaction = draft.provisional();
        if (transaction == null) {
            return draft;
        }
        Found found = transaction.found();
        Draft again = new Draft(state.settings().withoutQuotas(), transaction, new Supposition(found.rows(), false));
        batch.forEach(submission -> submission.decide(again, new RangeCommands(again, transaction)));
        boolean changes = again.rows().changes() > 0;
        if (changes && !found.changed()) {
            throw new ConflictException("The row is not as expected, and is to be changed all the same");
        }
        if (!changes && found.changed()) {
            throw new IllegalStateException("The engine has changed a row against the decision");
        }
        return again;
    }

    private void failed(List<Submission<?>> batch, Throwable failure) {
        boolean maybeCommitted = stored && isOutcomeUnknown(failure);
        state.failed();
        if (batch.size() == 1) {
            batch.get(0).fail(failure);
        } else if (maybeCommitted || failure instanceof StoreUnavailableException) {
            // No submission may run twice; and where no server answers, each would wait as long as the whole batch.
            batch.forEach(submission -> submission.fail(failure));
        } else {
            // One may be the cause, such as a value that is too large for the room left. It then fails alone.
            batch.forEach(submission -> commit(List.of(submission)));
        }
    }

    /**
     * Tests whether the commit may have succeeded. An {@code Error} during the commit leaves that open, and an engine
     * may report that it does not know.
     */
    private static boolean isOutcomeUnknown(Throwable failure) {
        return failure instanceof Error || failure instanceof OutcomeUnknownException;
    }

    private static Collection<RowKey> keys(List<Submission<?>> batch) {
        if (batch.size() == 1) {
            Request only = batch.get(0).request();
            return only == null ? List.of() : only.keys();
        }
        Set<RowKey> keys = new LinkedHashSet<>();
        for (Submission<?> submission : batch) {
            Request request = submission.request();
            if (request != null) {
                keys.addAll(request.keys());
            }
        }
        return keys;
    }
}
