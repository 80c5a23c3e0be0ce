package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * Runs a caller's work and commits it. The work runs again if an entry that it keeps alive has expired meanwhile, or
 * after a conflict. Used under the writer's lock.
 */
final class TransactionCommit {

    private static final Logger log = LoggerFactory.getLogger(TransactionCommit.class);

    /** How many runs there are between two log messages about them. */
    private static final int NOTABLE_RUNS = 10;

    private final CommitState state;

    /** The events of the current transaction, once it is committed. */
    private @Nullable CommitEvents delivery;

    /** Whether the engine has run the commit of the current transaction. */
    private boolean begun;

    TransactionCommit(CommitState state) {
        this.state = state;
    }

    /**
     * The result of a transaction.
     *
     * @param answer what the work returned
     * @param delivery the events to deliver; null if there are none, or if nobody listens
     * @param <R> the type of the answer
     */
    record Transacted<R extends @Nullable Object>(
            R answer, @Nullable CommitEvents delivery) {}

    /**
     * Runs the work until it commits. Each further run has fewer entries that can still expire, because no other thread of
     * this store writes meanwhile, and the engine makes sure that conflicts end.
     */
    <R extends @Nullable Object> Transacted<R> transact(Function<DraftView, R> work) {
        for (int run = 1; ; run++) {
            try {
                return transactOnce(work);
            } catch (Overtaken | ConflictException e) {
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
        boolean committed = false;
        begun = false;
        delivery = null;
        try (EngineSnapshot snapshot = state.engine().snapshot()) {
            Draft draft = new Draft(state.settings(), snapshot, List.of());
            R answer = work.apply(new DraftView(draft));
            store(draft, snapshot, start);
            committed = true;
            return new Transacted<>(answer, delivery);
        } finally {
            state.renewals().end();
            if (!committed) {
                state.failed();
            }
        }
    }

    private void store(Draft draft, EngineSnapshot snapshot, long start) {
        boolean unused = state.engine()
                .write(
                        transaction -> {
                            if (begun) { // the engine has made room, after it has undone the first run
                                state.repeated();
                            }
                            begun = true;
                            draft.validate(transaction, snapshot);
                            state.storeInTime(draft, transaction);
                            return true;
                        },
                        done -> delivery = state.finish(draft, 1, start));
    }
}
