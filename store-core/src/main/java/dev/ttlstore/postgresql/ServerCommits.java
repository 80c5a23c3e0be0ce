package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

import static java.util.Objects.requireNonNull;

/**
 * Commits batches by the server's function. What it does not decide needs locks. A call that comes late does nothing: its numbers would be
 * later than a limit, from which on the log continues once its outcome was looked up. Thread-safe.
 */
final class ServerCommits {

    private static final Logger log = LoggerFactory.getLogger(ServerCommits.class);

    /** How late a call may come, in microseconds, because the numbers of a slot follow the server's clock. */
    private static final long MOST_DELAY_MICROS = 60_000_000;

    /** How much longer the server takes for a call of several operations, beside deciding them: as long as for so many decisions. */
    private static final int OPERATIONS_OF_A_CALL = 20;

    private final NodeContext node;
    private final ServerFunction function;
    private final long decisionNanos;
    private final CommitOutcomes outcomes;
    private final Ending ending;

    /** The largest number of each slot that this node knows; they may be far ahead of the clock. */
    private final AtomicLongArray numbers;

    private final Map<FallbackReason, LongAdder> locked = new EnumMap<>(FallbackReason.class);

    /** Ends a commit that is made: what others have committed before it is reported first. */
    @FunctionalInterface
    interface Ending {
        void end(OwnCommit commit, Connections.Borrowed connection, Runnable committed);
    }

    /**
     * Prepares for commits.
     *
     * @param node what all commits share
     * @param function the server's function
     * @param decisionNanos how much longer the server takes to decide an operation than this node, in nanoseconds
     * @param outcomes finds out what has become of a commit
     * @param ending ends a commit that is made
     */
    ServerCommits(
            NodeContext node, ServerFunction function, long decisionNanos, CommitOutcomes outcomes, Ending ending) {
        this.node = node;
        this.function = function;
        this.decisionNanos = decisionNanos;
        this.outcomes = outcomes;
        this.ending = ending;
        this.numbers = new AtomicLongArray(node.slots().count());
        for (FallbackReason reason : FallbackReason.values()) {
            locked.put(reason, new LongAdder());
        }
    }

    /** Returns how many batches were not decided in the server, by reason; without reasons that never occurred. */
    Map<String, Long> lockedCommits() {
        Map<String, Long> counts = new TreeMap<>();
        locked.forEach((reason, count) -> {
            if (count.sum() > 0) {
                counts.put(reason.label(), count.sum());
            }
        });
        return counts;
    }

    /**
     * Commits a batch.
     *
     * @return false if that takes locks; nothing was done then
     * @throws ConflictException if nothing was done, and it may be tried again
     */
    boolean commit(Batch batch, Connections.Borrowed connection, CommitObserver observer) {
        FallbackReason reason = whyNot(batch);
        if (reason == null && batch instanceof Batch.Requests requests) {
            ServerBatch plain = new ServerBatch(node.slots(), requests);
            observer.sending(plain.keys());
            reason = commit(plain, connection, observer);
            if (reason != null) {
                observer.abandoned();
            }
        }
        if (reason == null) {
            return true;
        }
        requireNonNull(locked.get(reason)).increment();
        if (reason == FallbackReason.SIZE
                && batch instanceof Batch.Requests several
                && several.requests().size() > 1) {
            throw new LargeLoadException();
        }
        return false;
    }

    private @Nullable FallbackReason whyNot(Batch batch) {
        if (!function.isThere()) {
            return FallbackReason.FUNCTION;
        }
        if (node.connections().sql().hasEarlierNodes()) {
            return FallbackReason.TABLES;
        }
        if (!(batch instanceof Batch.Requests requests)) {
            return FallbackReason.CODE;
        }
        if (node.isDistributed() && !ServerBatch.isSingle(requests)) {
            return FallbackReason.TABLES;
        }
        long unused = node.clock().now(); // which may notice a leap
        if (requests.settings().clock().leap() != null) {
            return FallbackReason.TIMES;
        }
        return ServerBatch.whyNot(requests, node.connections().times().way() / decisionNanos - OPERATIONS_OF_A_CALL);
    }

    private @Nullable FallbackReason commit(
            ServerBatch batch, Connections.Borrowed connection, CommitObserver observer) {
        ServerCommit commit = new ServerCommit(node, batch, ceiling(batch));
        node.cursor().begin(commit.id());
        try {
            requireAnswering(connection);
            FallbackReason failure = send(commit, connection);
            note(batch, commit.largestNumber());
            if (failure == null) {
                Committed committed = afterwards(commit);
                ending.end(
                        new OwnCommit(commit.id(), commit.own(), commit.news()),
                        connection,
                        () -> observer.committed(committed));
            }
            return failure;
        } finally { // if it was not reported, but made all the same, it is reported like those of others
            node.cursor().ended(commit.id());
        }
    }

    /** Replaces a dead connection, because the outcome of a commit would have to be looked up. */
    private void requireAnswering(Connections.Borrowed connection) {
        if (!node.connections().isAnswering()) {
            try {
                connection.runFirst(node.connections().script().add("SELECT 1"));
            } catch (SQLException e) {
                throw Errors.translate(e);
            }
        }
    }

    private long ceiling(ServerBatch batch) {
        long highest = node.clock().micros();
        for (int slot : batch.slots()) {
            highest = Math.max(highest, numbers.get(slot));
        }
        return highest + MOST_DELAY_MICROS;
    }

    private void note(ServerBatch batch, long number) {
        for (int slot : batch.slots()) {
            long unused = numbers.accumulateAndGet(slot, number, Math::max);
        }
    }

    private @Nullable FallbackReason send(ServerCommit commit, Connections.Borrowed connection) {
        try {
            commit.send(connection);
            if (commit.reason() == FallbackReason.SERVER) {
                node.timelines().doubt();
            }
            return commit.reason();
        } catch (SQLException e) {
            if (Errors.isReadOnly(e)) {
                return FallbackReason.ROLE;
            }
            if (Errors.isNoText(e)) {
                return FallbackReason.FORM;
            }
            if (Errors.isUnsupported(e)) {
                function.lost(e);
                return FallbackReason.FUNCTION;
            }
            if (!Errors.isDoubtful(e) && !(node.isDistributed() && Errors.isInterrupted(e))) {
                throw Errors.translate(e);
            }
            connection.breakOff();
            requireCommitted(commit, e);
            return null;
        }
    }

    private void requireCommitted(ServerCommit commit, SQLException e) {
        switch (outcomes.of(commit.place())) {
            case COMMITTED -> {
                if (!isTold(commit)) {
                    if (commit.hasOnlyRenewed()) {
                        throw new ConflictException("The answer was lost, and what it was about may be done again");
                    }
                    throw unknown(
                            "The answer of PostgreSQL to a commit was lost, and its log does not tell all of it", e);
                }
            }
            case NOT_COMMITTED -> {
                if (Errors.isStale(e)) {
                    throw new ConflictException("The connection was lost before the commit was made");
                }
                throw Errors.translate(e);
            }
            case UNKNOWN ->
                throw unknown(
                        "The answer of PostgreSQL to a commit was lost, and the server could not be asked afterwards",
                        e);
        }
    }

    private boolean isTold(ServerCommit commit) {
        try {
            return outcomes.ask(commit::ask);
        } catch (RuntimeException e) {
            log.debug("The log could not be asked what a commit had found", e);
            return false;
        }
    }

    private static OutcomeUnknownException unknown(String problem, SQLException e) {
        // Otherwise it would say that nothing was written.
        Throwable cause = Errors.isInterrupted(e) ? Errors.withoutDetail(e) : Errors.translate(e);
        return new OutcomeUnknownException(problem, cause);
    }

    /**
     * Computes what was committed.
     *
     * @throws OutcomeUnknownException if this node cannot tell what the server has decided. Nothing may be tried again then
     */
    private static Committed afterwards(ServerCommit commit) {
        try {
            Committed committed = RowBatch.afterwards(commit.requests(), commit.found());
            requireSame(commit);
            return committed;
        } catch (RuntimeException e) {
            throw new OutcomeUnknownException(
                    "The server has made a commit, and this node cannot tell what it has decided", e);
        }
    }

    /** Checks that this node has handed out as many numbers for the changes as the server has. */
    private static void requireSame(ServerCommit commit) {
        for (LogRow row : commit.own()) {
            long next = commit.found().next(row.slot());
            if (next != row.seq() && next - 1 != row.seq()) {
                throw new IllegalStateException("The server has decided a commit otherwise than this node");
            }
        }
    }
}
