package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.JoinableTransaction;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.Draft;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.TransactionParticipant;

import static java.util.Objects.requireNonNull;

/**
 * What the store has read and decided in a transaction of the application. It is written shortly before the application commits,
 * and only then locks. The engine reports it like a commit of another process, once it is made. Used by the thread that is in the
 * transaction.
 */
public final class JoinedTransaction implements TransactionParticipant {

    private static final Logger log = LoggerFactory.getLogger(JoinedTransaction.class);

    private static final SafeLog END_FAILED = new SafeLog(
            log, "A transaction of the application was committed, but the work of the store after it has failed");

    private final JoinableTransaction outer;
    private final CommitContext context;
    private final CommitSettings settings;
    private final long start;
    private final Map<Object, Savepoint> savepoints = new HashMap<>();
    private final List<WriteSet> written = new ArrayList<>();
    private static final int MOST_GROUPS_SHOWN = 3;

    private @Nullable EngineSnapshot snapshot;
    private @Nullable Draft draft;

    /** Whether the application is about to commit, so that nothing calls {@link #beforeCommit} again. */
    private boolean committing;

    /** Why something could not be written. Then the transaction must not commit, even if the application has caught the exception. */
    private @Nullable Throwable failure;

    /** How many calls of {@link #write} are within each other. */
    private int depth;

    /**
     * How far the transaction had come.
     *
     * @param written how many drafts were written
     * @param mark how far the draft after them had come
     */
    private record Savepoint(int written, Draft.Mark mark) {

        /** Before the store was used. */
        private static final Savepoint START = new Savepoint(0, Draft.Mark.START);
    }

    JoinedTransaction(JoinableTransaction outer, CommitContext context) {
        this.outer = outer;
        this.context = context;
        this.settings = context.settings().withoutKnownRows();
        this.start = context.meter().start();
    }

    /**
     * Returns the store as the transaction sees it.
     *
     * @return the view, to be used for one operation; writes go through {@link #write}
     */
    public Draft view() {
        Draft present = draft;
        if (present == null) {
            EngineSnapshot reads = outer.snapshot();
            present = new Draft(settings, reads, List.of());
            snapshot = reads;
            draft = present;
        }
        return present;
    }

    /**
     * Runs work that may write. If it throws, what it has written is undone.
     *
     * @param work the work, on {@link #view}
     * @return its answer
     * @param <R> the type of the answer
     * @throws IllegalStateException if it has written, but the transaction only reads
     */
    public <R extends @Nullable Object> R write(Supplier<R> work) {
        Draft.Mark before = view().mark();
        boolean done = false;
        depth++;
        try {
            R answer = work.get();
            if (outer.isReadOnly() && !view().mark().equals(before)) {
                throw new IllegalStateException(
                        "The transaction of this thread was begun to read only, so the store cannot write in it; begin one that"
                                + " writes, or write before or after it, or by store.outsideTransaction()");
            }
            done = true;
            if (committing && depth == 1) {
                flush();
            }
            return answer;
        } finally {
            depth--;
            if (!done) {
                view().undo(before);
            }
        }
    }

    @Override
    public void beforeCommit() {
        committing = true;
        Thrown.again(failure);
        flush();
    }

    private void flush() {
        try {
            writeDraft();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    private void writeDraft() {
        Draft decided = draft;
        if (decided == null || decided.mark().equals(Draft.Mark.START)) {
            return; // what it has only read needs no lock
        }
        WriteSet writes = decided.writes();
        try {
            written.add(outer.apply(new Batch.Decided(settings, writes, requireNonNull(snapshot)))
                    .writes());
        } catch (ConflictException e) {
            throw new TransactionConflictException(
                    "The store cannot write to " + written(writes) + " in the transaction: " + e.getMessage(), e);
        }
        draft = null;
        snapshot = null;
    }

    /** Names the groups that are changed, or the first of them. */
    private static String written(WriteSet writes) {
        List<String> groups = writes.rows().stream()
                .map(change -> "'" + change.key().group() + "'")
                .distinct()
                .sorted()
                .toList();
        int shown = Math.min(groups.size(), MOST_GROUPS_SHOWN);
        return (groups.size() == 1 ? "the group " : "the groups ")
                + String.join(", ", groups.subList(0, shown))
                + (groups.size() > shown ? " and others" : "");
    }

    @Override
    public void savepoint(Object savepoint) {
        Draft present = draft;
        savepoints.put(savepoint, new Savepoint(written.size(), present == null ? Draft.Mark.START : present.mark()));
    }

    @Override
    public void rolledBackTo(Object savepoint) {
        Savepoint before = savepoints.getOrDefault(savepoint, Savepoint.START);
        Draft present = draft;
        if (before.written == written.size()) {
            if (present != null) {
                present.undo(before.mark);
            }
            return;
        }
        written.subList(before.written, written.size()).clear();
        outer.rolledBack(before.written);
        draft = null;
        snapshot = null;
        if (!before.mark.equals(Draft.Mark.START)) {
            throw new IllegalStateException(
                    "The rollback to this savepoint also undoes what the store was asked to write before it, because that was sent"
                            + " after it; roll back the whole transaction");
        }
    }

    @Override
    public void ended(boolean committed) {
        try {
            if (committed) {
                written.forEach(writes -> context.joined(writes, start));
            }
        } catch (RuntimeException | Error e) {
            END_FAILED.warn(e);
        } finally {
            outer.ended(committed);
        }
    }
}
