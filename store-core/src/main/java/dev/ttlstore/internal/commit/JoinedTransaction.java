package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.OuterTransaction;
import dev.ttlstore.engine.support.SafeLog;
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

    private final OuterTransaction outer;
    private final CommitState state;
    private final Draft.Settings settings;
    private final long start;
    private final Map<Object, Savepoint> savepoints = new HashMap<>();
    private final List<Draft> written = new ArrayList<>();
    private static final int MOST_GROUPS_SHOWN = 3;

    private @Nullable EngineSnapshot snapshot;
    private @Nullable Draft draft;

    /** Whether the application is about to commit, so that nothing calls {@link #beforeCommit} again. */
    private boolean committing;

    /** Why something could not be written: then the transaction must not be committed, whoever has caught this. */
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

    JoinedTransaction(OuterTransaction outer, CommitState state) {
        this.outer = outer;
        this.state = state;
        this.settings = state.settingsOfOuter();
        this.start = state.start();
    }

    /**
     * Returns the store as the transaction sees it.
     *
     * @return the view, to be used for one operation; writes go through {@link #write}
     */
    public DraftView view() {
        return new DraftView(draft());
    }

    private Draft draft() {
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
        Draft.Mark before = draft().mark();
        boolean done = false;
        depth++;
        try {
            R answer = work.get();
            if (outer.isReadOnly() && !draft().mark().equals(before)) {
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
                draft().undo(before);
            }
        }
    }

    @Override
    public void beforeCommit() {
        committing = true;
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
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
        EngineSnapshot read = requireNonNull(snapshot);
        try {
            outer.write(transaction -> {
                decided.validate(transaction, read);
                if (decided.renewals().areOvertaken(transaction.now())) {
                    throw new Overtaken();
                }
                decided.renumber(transaction::nextSequence);
                new DraftWriter(decided).store(transaction);
                CommitState.log(decided, transaction);
            });
        } catch (ConflictException | Overtaken e) {
            throw new TransactionConflictException(
                    "The store cannot write to " + written(decided) + " in the transaction: " + e.getMessage(), e);
        }
        written.add(decided);
        draft = null;
        snapshot = null;
    }

    /** Names the groups that a draft changes, or the first of them. */
    private static String written(Draft draft) {
        List<String> groups = draft.rows().byKey().entrySet().stream()
                .filter(row -> row.getValue().isChanged())
                .map(row -> "'" + row.getKey().group() + "'")
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
                written.forEach(decided -> state.finishOuter(decided, start));
            }
        } catch (RuntimeException | Error e) {
            END_FAILED.warn(e);
        } finally {
            outer.ended(committed);
        }
    }
}
