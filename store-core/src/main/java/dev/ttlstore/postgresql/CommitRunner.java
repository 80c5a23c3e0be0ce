package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.OvertakenException;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

/**
 * Runs commits: in the server if that can decide them; otherwise with the locks of their slots or, after a conflict, with those of all
 * slots. Commits of requests may run at the same time; all else runs alone.
 */
final class CommitRunner {

    private static final Logger log = LoggerFactory.getLogger(CommitRunner.class);

    /** How many conflicts in a row there may be. With all slots locked there should be none. */
    private static final int MAX_CONFLICTS = 1_000;

    /** How often a commit that holds all slots is tried. */
    private static final int ATTEMPTS_ALONE = 5;

    private final NodeContext node;
    private final Consumer<List<LogRow>> sent;
    private final CommitOutcomes outcomes;
    private final ServerCommits server;

    /** How many conflicts in a row there were in spite of locks. While there are some, commits hold all slots. */
    private final AtomicInteger conflicts = new AtomicInteger();

    /** The snapshot that holds all slots, while there is one. */
    private volatile @Nullable LockedSnapshot locked;

    /**
     * Begins without conflicts.
     *
     * @param node what all commits share
     * @param function the server's function
     * @param decisionNanos how much longer the server takes to decide an operation than this node, in nanoseconds
     * @param sent gets what each commit has added to the log
     */
    CommitRunner(NodeContext node, ServerFunction function, long decisionNanos, Consumer<List<LogRow>> sent) {
        this.node = node;
        this.sent = sent;
        this.outcomes = new CommitOutcomes(node.connections(), node.timeouts());
        this.server = new ServerCommits(node, function, decisionNanos, outcomes, this::end);
    }

    EngineSnapshot snapshot() {
        node.timelines().settle();
        if (conflicts.get() == 0) {
            return new Snapshot(node, new ReadTransaction(node, conflicts::incrementAndGet));
        }
        LockedSnapshot all = new LockedSnapshot(node, () -> locked = null);
        locked = all;
        return all;
    }

    /** Returns how many batches were not decided in the server, by the reason. */
    Map<String, Long> lockedCommits() {
        return server.lockedCommits();
    }

    /** As {@link dev.ttlstore.engine.Engine#apply} says. */
    void apply(Batch batch, CommitObserver observer) {
        RowBatch rows = new RowBatch(batch, observer);
        LockedSnapshot all = locked;
        if (all != null) {
            Committed unused = countingConflicts(all, all.connection(), true, rows::run, committed -> {
                all.ended();
                observer.committed(committed);
            });
            return;
        }
        node.timelines().settle();
        try (Connections.Borrowed connection = node.connections().borrowForAll()) {
            CommitTimes times = node.connections().times();
            long begunAt = times.now();
            int beside = times.begin();
            int answers = 0;
            try {
                commit(batch, rows, connection, observer);
                answers = batch instanceof Batch.Requests ? connection.answers() : 0; // a purge says nothing of them
            } finally {
                times.end(begunAt, beside, answers);
            }
        }
    }

    private void commit(Batch batch, RowBatch rows, Connections.Borrowed connection, CommitObserver observer) {
        boolean careful = conflicts.get() > 0;
        if (!careful && isDecidedByServer(batch, connection, observer)) {
            return;
        }
        LockedTransaction transaction = new LockedTransaction(node, connection);
        if (careful) {
            transaction.hold(node.slots().all());
        }
        Committed unused = countingConflicts(
                new LockedCommit(node, transaction), connection, careful, rows::run, observer::committed);
    }

    private boolean isDecidedByServer(Batch batch, Connections.Borrowed connection, CommitObserver observer) {
        try {
            return server.commit(batch, connection, observer);
        } catch (ConflictException e) {
            throw counted(e);
        }
    }

    /** Runs work in a commit that holds all slots, so that no other node writes meanwhile. If somebody else holds one for long, it is tried again a few times. */
    void alone(Consumer<LockedCommit> work) {
        for (int attempt = 1; ; attempt++) {
            node.timelines().settle();
            try (Connections.Borrowed connection = node.connections().borrowForAll()) {
                LockedTransaction transaction = new LockedTransaction(node, connection);
                transaction.hold(node.slots().all());
                boolean unused = countingConflicts(
                        new LockedCommit(node, transaction),
                        connection,
                        true,
                        commit -> {
                            work.accept(commit);
                            return true;
                        },
                        answer -> {});
                return;
            } catch (ConflictException e) {
                if (attempt == ATTEMPTS_ALONE) {
                    throw new StoreException(
                            "Another session keeps a slot of the store locked, or takes part in a deadlock with this one",
                            "Look in pg_stat_activity for what else uses the tables of the store",
                            e);
                }
                log.info("Another session keeps a slot of the store locked; waiting for it");
            }
        }
    }

    private <R> R countingConflicts(
            LockedCommit commit,
            Connections.Borrowed connection,
            boolean careful,
            Function<? super LockedCommit, R> work,
            Consumer<? super R> committed) {
        try {
            R answer = work.apply(commit);
            send(commit, connection, () -> committed.accept(answer));
            if (careful) { // a commit that has not met a conflict says nothing of those that have
                conflicts.set(0);
            }
            return answer;
        } catch (OvertakenException e) {
            throw e;
        } catch (ConflictException e) {
            throw counted(e);
        }
    }

    /** Counts a conflict. Returns it, or an exception that ends the attempts. */
    private RuntimeException counted(ConflictException e) {
        if (conflicts.incrementAndGet() > MAX_CONFLICTS) {
            conflicts.set(0);
            return new StoreException(
                    "A write met " + MAX_CONFLICTS + " conflicts in a row and was given up; nothing was written",
                    "Look in pg_stat_activity for what else writes the tables of the store",
                    e);
        }
        return e;
    }

    /** Sends the writes of a commit, and reports it. */
    private void send(LockedCommit commit, Connections.Borrowed connection, Runnable committed) {
        OwnCommit prepared = commit.prepare();
        UUID batch = prepared.batch();
        if (batch == null) { // the connection rolls back when it is given back
            end(prepared, connection, committed);
            return;
        }
        node.cursor().begin(batch);
        try {
            try {
                commit.transaction().send();
            } catch (SQLException e) {
                requireCommitted(prepared, connection, e);
            }
            end(prepared, connection, committed);
        } finally {
            node.cursor().ended(batch);
        }
    }

    /** Reports a commit that is made, after what others have committed before it. */
    private void end(OwnCommit end, Connections.Borrowed connection, Runnable committed) {
        sent.accept(end.own());
        Set<Integer> unread = catchUp(end, connection);
        node.cursor().committed(end, unread, committed);
    }

    /**
     * Reports what others have committed before this commit, if that is more than was read with it. Throws nothing, because the commit
     * is made.
     *
     * @return the slots in which that could not be read
     */
    private Set<Integer> catchUp(OwnCommit end, Connections.Borrowed connection) {
        LogCursor cursor = node.cursor();
        Set<Integer> unread = end.own().stream().map(LogRow::slot).collect(Collectors.toSet());
        try {
            unread = cursor.unread(end, connection::giveBack);
            if (unread.isEmpty()) {
                return unread;
            }
            LogCursor.Progress progress;
            do { // it stops before this commit, which is still under way for it
                Script script = node.connections().script();
                List<LogRow> rows = cursor.news(script, unread);
                connection.run(script);
                progress = cursor.reportBefore(end, rows, connection::giveBack);
            } while (progress == LogCursor.Progress.MORE);
            return Set.of();
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("What others have committed could not be read, so this node reports a gap", e);
            return unread;
        }
    }

    private void requireCommitted(OwnCommit prepared, Connections.Borrowed connection, SQLException e) {
        if (Errors.isDuplicate(e)) {
            throw new ConflictException("Another commit came first");
        }
        if (!Errors.isDoubtful(e)) {
            throw Errors.translate(e);
        }
        connection.breakOff();
        switch (outcomes.of(prepared.place())) {
            case COMMITTED -> {
                // All that it wants to know was told before it was sent.
            }
            case NOT_COMMITTED -> throw Errors.translate(e);
            case UNKNOWN ->
                throw new OutcomeUnknownException(
                        "The connection to PostgreSQL was lost during a commit, and the server could not be asked afterwards",
                        Errors.translate(e));
        }
    }
}
