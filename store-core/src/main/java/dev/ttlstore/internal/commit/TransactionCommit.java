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
 * Runs a caller's work and commits it. The work runs again after a conflict. Used by a thread that has taken all writers.
 */
final class TransactionCommit {

    private static final Logger log = LoggerFactory.getLogger(TransactionCommit.class);

    /** How many runs there are between two log messages about them. */
    private static final int NOTABLE_RUNS = 10;

    private TransactionCommit() {}

    /**
     * Runs the work until it commits. Each further run has fewer entries that can still expire, because no other thread of
     * this store writes meanwhile, and the engine makes sure that conflicts end.
     *
     * @param writer commits it; {@link Writer#delivery} has the events afterwards
     * @param work the work
     * @return what the work returned
     */
    static <R extends @Nullable Object> R run(Writer writer, Function<TransactionDraft, R> work) {
        WriterParts parts = writer.parts();
        for (int run = 1; ; run++) {
            try (EngineSnapshot snapshot = parts.engine().snapshot()) {
                TransactionDraft draft = new TransactionDraft(parts.settings(), snapshot);
                R answer = work.apply(draft);
                Committed unused = writer.commit(new Batch.Decided(parts.settings(), draft.writes(), snapshot), 1);
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
