package dev.ttlstore.internal.commit;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.commit.TransactionDraft;

/**
 * Runs a caller's work and commits it. The work runs again after a conflict. Used under the writer's lock.
 */
final class TransactionCommit {

    private static final Logger log = LoggerFactory.getLogger(TransactionCommit.class);

    /** How many runs there are between two log messages about them. */
    private static final int NOTABLE_RUNS = 10;

    private final Committer committer;

    TransactionCommit(Committer committer) {
        this.committer = committer;
    }

    /**
     * Runs the work until it commits. Each further run has fewer entries that can still expire, because no other thread of
     * this store writes meanwhile, and the engine makes sure that conflicts end.
     *
     * @return what the work returned; {@link Committer#delivery} has the events
     */
    <R extends @Nullable Object> R transact(Function<TransactionDraft, R> work) {
        for (int run = 1; ; run++) {
            try (EngineSnapshot snapshot = committer.engine().snapshot()) {
                TransactionDraft draft = new TransactionDraft(committer.settings(), snapshot);
                R answer = work.apply(draft);
                Committed unused =
                        committer.commit(new Batch.Decided(committer.settings(), draft.writes(), snapshot), 1);
                return answer;
            } catch (ConflictException e) {
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
}
