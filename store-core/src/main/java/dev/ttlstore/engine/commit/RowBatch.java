package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.OvertakenException;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.WriteSet;

/**
 * A batch of an engine that loads rows and stores rows. It loads what the batch needs, decides, and stores what that comes to; then the engine
 * commits. Used by one thread.
 *
 * @since 0.1
 */
public final class RowBatch {

    private final Batch batch;
    private final CommitSettings settings;
    private final CommitObserver observer;
    private boolean storing;

    /**
     * Takes a batch.
     *
     * @param batch the batch
     * @param observer learns what is stored
     */
    public RowBatch(Batch batch, CommitObserver observer) {
        this.batch = batch;
        this.settings = batch.settings();
        this.observer = observer;
    }

    /**
     * Decides and stores. If an engine has to undo that, such as for want of room, it may run this again in another commit.
     *
     * @param commit the commit
     * @return what the batch has come to, once the engine has committed
     * @throws ConflictException if what the batch was decided by is no longer so
     */
    public Committed run(RowCommit commit) {
        if (storing) {
            storing = false;
            observer.abandoned();
        }
        if (batch instanceof Batch.Requests requests) {
            return run(commit, requests);
        }
        if (batch instanceof Batch.Run one) {
            Draft draft = new Draft(settings, commit, List.of());
            CommandRunner commands = new CommandRunner(draft, commit);
            Object result = commands.run(one.command());
            return store(commit, List.of(), result, draft.writes(), commands.hasRecorded());
        }
        WriteSet decided = validated(commit, (Batch.Decided) batch);
        return store(commit, List.of(), null, decided, false);
    }

    private Committed run(RowCommit commit, Batch.Requests requests) {
        if (requests.requests().size() > 1) {
            commit.limitLoad(Batch.MOST_LOADED); // of a single caller, it is what that asks for
        }
        Draft draft = new Draft(settings, commit, requests.keys());
        if (requests.requests().size() > 1 && draft.loadedBytes() > Batch.MOST_LOADED) {
            throw new LargeLoadException();
        }
        List<Answer> answers = answers(draft, requests);
        return store(commit, answers, null, draft.writes(), false);
    }

    private WriteSet validated(RowCommit commit, Batch.Decided transaction) {
        WriteSet decided = transaction.writes();
        if (!QuotaCheck.isWithin(decided, settings.quotas(), commit, commit.validate(transaction.read()))) {
            throw new ConflictException("Others have used up what a quota had left");
        }
        return decided.isProvisional() ? decided.renumbered(commit::nextSequence) : decided;
    }

    private static List<Answer> answers(Draft draft, Batch.Requests batch) {
        if (batch.requests().size() == 1) {
            return List.of(answer(draft, batch.requests().get(0)));
        }
        List<Answer> answers = new ArrayList<>(batch.requests().size());
        for (Request request : batch.requests()) {
            answers.add(answer(draft, request));
        }
        return answers;
    }

    private static Answer answer(Draft draft, Request request) {
        try {
            return draft.decide(request);
        } catch (ConflictException | LargeLoadException e) { // the batch's concern
            throw e;
        } catch (RuntimeException e) { // its caller's concern; the others go on
            return Answer.failed(e);
        }
    }

    private Committed store(
            RowCommit commit, List<Answer> answers, @Nullable Object result, WriteSet decided, boolean recorded) {
        WriteSet writes = decided.from(commit.now());
        boolean records = !writes.isEmpty() && commit.store(writes, settings.retained());
        // Last, so that readers do without the cache for the shortest possible time.
        storing = true;
        observer.storing(writes);
        if (writes.isOvertaken(commit.now())) { // asked when readers look out for this commit
            throw new OvertakenException();
        }
        return new Committed(answers, result, writes, recorded || records);
    }

    /**
     * Decides requests by what a server has found that has decided and committed them itself, for the answers and the changes.
     *
     * @param requests the requests
     * @param found has the rows, and hands out the same numbers
     * @return what the requests have come to
     */
    public static Committed afterwards(Batch.Requests requests, EngineView found) {
        Draft draft = new Draft(requests.settings().afterwards(), found, requests.keys());
        return new Committed(answers(draft, requests), null, draft.writes(), false);
    }
}
