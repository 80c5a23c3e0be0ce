package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * Runs a caller's work and commits it, again and again as long as an entry that it keeps alive expires while it runs. Used under
 * the writer's lock.
 */
final class TransactionCommit {

    private static final Logger log = LoggerFactory.getLogger(TransactionCommit.class);

    /** Runs after which the log says how many there were. */
    private static final int NOTABLE_RUNS = 10;

    private final CommitState state;

    TransactionCommit(CommitState state) {
        this.state = state;
    }

    /**
     * What has come of it.
     *
     * @param answer what the work returned
     * @param delivery what there is to tell
     * @param <R> the type of the answer
     */
    record Transacted<R extends @Nullable Object>(
            R answer, @Nullable CommitEvents delivery) {}

    /** Each further run has fewer entries that can expire meanwhile, for nobody else writes. */
    <R extends @Nullable Object> Transacted<R> transact(Function<DraftView, R> work) {
        for (int run = 1; ; run++) {
            try {
                return transactOnce(work);
            } catch (Overtaken e) {
                logManyRuns(run);
            } catch (ConflictException e) {
                state.reload();
                logManyRuns(run);
            }
        }
    }

    private static void logManyRuns(int run) {
        if (run % NOTABLE_RUNS == 0) {
            log.warn(
                    "A transaction has run {} times, because entries that it renews have expired meanwhile or were changed by"
                            + " others; other writers wait for it, so do less in it",
                    run);
        }
    }

    private <R extends @Nullable Object> Transacted<R> transactOnce(Function<DraftView, R> work) {
        long start = state.start();
        Draft draft = new Draft(state.settings(state::reserve), state.engine(), List.of());
        boolean undoable = true;
        boolean committed = false;
        try {
            R answer = work.apply(new DraftView(draft));
            undoable = false;
            store(draft);
            committed = true;
            return new Transacted<>(answer, state.finish(draft, 1, start));
        } catch (Overtaken e) {
            undoable = true; // it was rolled back
            throw e;
        } finally {
            if (!committed) {
                state.keepVersionsOf(draft); // the work has seen them
                if (undoable) {
                    state.undo(draft);
                } else {
                    state.failed();
                }
            }
        }
    }

    private void store(Draft draft) {
        try {
            boolean unused = state.engine().write(transaction -> {
                if (transaction.isRepeated()) {
                    state.repeated();
                    draft.saved().forget();
                }
                state.storeInTime(draft, transaction);
                return true;
            });
        } finally {
            state.renewals().end();
        }
    }
}
