package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * Commits a batch of tasks in one transaction: loads the rows that they name, has each decide, stores what has changed, and
 * completes them. A batch that the engine refuses is tried task by task. Used under the writer's lock.
 */
final class BatchCommit {

    private final CommitState state;

    /** What the engine is to commit, or has committed. */
    private @Nullable Draft stored;

    BatchCommit(CommitState state) {
        this.state = state;
    }

    /** Commits some tasks; each is complete then, or has failed. */
    void commit(List<Task<?>> batch) {
        boolean decided;
        do {
            decided = commitOnce(batch);
        } while (!decided);
    }

    /** Returns false if everything must be decided again: an entry has expired, or another owner has changed rows. */
    private boolean commitOnce(List<Task<?>> batch) {
        long start = state.start();
        Draft draft;
        stored = null;
        try {
            draft = state.engine().write(transaction -> decide(batch, transaction));
        } catch (Overtaken e) {
            state.undo(e.draft());
            return false;
        } catch (ConflictException e) {
            state.reload();
            return false;
        } catch (Throwable failure) { // an Error too must reach those who wait, or they would wait for good
            state.renewals().end();
            failed(batch, failure);
            return true;
        } finally {
            state.renewals().end();
        }
        CommitEvents delivery = state.finish(draft, batch.size(), start);
        batch.forEach(task -> task.complete(delivery));
        return true;
    }

    private Draft decide(List<Task<?>> batch, EngineTransaction transaction) {
        if (transaction.isRepeated()) {
            state.renewals().end();
            state.failed();
            stored = null;
        }
        Draft draft = new Draft(state.settings(SavedState.Reserve.WITH_COMMIT), transaction.reads(), keys(batch));
        RangeCommands commands = new RangeCommands(draft, transaction);
        for (Task<?> task : batch) {
            task.decide(draft, commands);
        }
        state.storeInTime(draft, transaction);
        stored = draft;
        return draft;
    }

    private void failed(List<Task<?>> batch, Throwable failure) {
        Draft maybeCommitted = isOutcomeUnknown(failure) ? stored : null;
        if (maybeCommitted != null) {
            state.keepVersionsOf(maybeCommitted); // they may stand in the engine
        }
        state.failed();
        if (batch.size() == 1) {
            batch.get(0).fail(failure);
        } else if (maybeCommitted != null) {
            // Nothing may be done twice.
            batch.forEach(task -> task.fail(failure));
        } else {
            // One of them may be the cause (a value too large for the room left): let it fail alone.
            batch.forEach(task -> commit(List.of(task)));
        }
    }

    /** An error within the commit does not say whether the commit was made; an engine may say itself that it does not know. */
    private static boolean isOutcomeUnknown(Throwable failure) {
        return failure instanceof Error || failure instanceof OutcomeUnknownException;
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
