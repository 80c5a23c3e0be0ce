package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.Request;
import dev.ttlstore.exception.StoreUnavailableException;

/**
 * Commits a batch of submissions, and completes them. After a conflict the batch is committed again. If the engine refuses it, each submission is
 * tried in a commit of its own. If its rows take too much memory, it is split. Used once.
 */
final class BatchCommit {

    private final Writer writer;

    private BatchCommit(Writer writer) {
        this.writer = writer;
    }

    /** Lets a writer commit what it has taken. When this returns, each submission is complete or has failed. */
    static void by(Writer writer) {
        new BatchCommit(writer).commit(writer.batch());
    }

    private void commit(List<Submission<?>> batch) {
        boolean done;
        do {
            done = tryToCommit(batch);
        } while (!done);
    }

    /** Returns false after a conflict. */
    private boolean tryToCommit(List<Submission<?>> batch) {
        Committed committed;
        try {
            committed = writer.commit(of(batch), batch.size());
        } catch (ConflictException e) {
            return false;
        } catch (LargeLoadException e) {
            int half = batch.size() / 2;
            commit(batch.subList(0, half));
            commit(batch.subList(half, batch.size()));
            return true;
        } catch (Throwable failure) { // an Error must reach the waiting callers too, or they would wait for ever
            failed(batch, failure);
            return true;
        }
        for (int i = 0; i < batch.size(); i++) { // needs no memory: the commit is made, and each caller must hear of it
            batch.get(i).complete(committed, i, writer.delivery());
        }
        return true;
    }

    private Batch of(List<Submission<?>> batch) {
        Command<?> command = batch.get(0).command();
        if (command != null) {
            return new Batch.Run(writer.parts().settings(), command);
        }
        if (batch.size() == 1) {
            return new Batch.Requests(
                    writer.parts().settings(), List.of(batch.get(0).request()));
        }
        List<Request> requests = new ArrayList<>(batch.size());
        for (Submission<?> submission : batch) {
            requests.add(submission.request());
        }
        return new Batch.Requests(writer.parts().settings(), requests);
    }

    private void failed(List<Submission<?>> batch, Throwable failure) {
        if (batch.size() == 1) {
            batch.get(0).fail(failure);
        } else if (writer.mayHaveCommitted(failure) || failure instanceof StoreUnavailableException) {
            // No submission may run twice; and where no server answers, each would wait as long as the whole batch.
            for (int i = 0; i < batch.size(); i++) { // here and below: there may be no memory to make a lambda
                batch.get(i).fail(failure);
            }
        } else {
            // One may be the cause, such as a value that is too large for the room left. It then fails alone.
            for (int i = 0; i < batch.size(); i++) {
                commit(batch.subList(i, i + 1));
            }
        }
    }
}
