package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.ttlstore.engine.ConflictException;

/**
 * A transaction of the store that only reads, all as of one moment. Numbers that it hands out are set aside in the log first, in
 * a commit of their own, because the caller may show them and then fail. Used by one thread.
 */
final class ReadTransaction implements Snapshot.EnclosingTransaction {

    private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    /** What is done with the snapshot may take its time; it locks nothing. */
    private static final String NO_LIMIT = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)";

    /** Each server of a distributed database has a snapshot of its own, and only one. */
    private static final String ONE_CONNECTION = "SET LOCAL citus.max_adaptive_executor_pool_size TO 1";

    private static final String RESERVE =
            LogHead.APPEND.formatted("greatest(h.seq + h.n, {micros})", "?", "greatest(h.at, {now})") + "RETURNING seq";

    /** How many numbers are set aside at once, at first. */
    private static final long FIRST_BLOCK = 1_000;

    private final NodeContext node;
    private final Runnable conflicted;
    private final Connections.Borrowed connection;
    private final long begun;

    /**
     * Borrows a connection for a transaction.
     *
     * @param node what all commits share
     * @param conflicted called before a conflict is reported, so that the next run holds locks
     */
    ReadTransaction(NodeContext node, Runnable conflicted) {
        this.node = node;
        this.conflicted = conflicted;
        this.connection = node.connections().borrow();
        this.begun = System.nanoTime();
    }

    /** Adds the beginning of a transaction that only reads, all as of one moment. */
    static Script begin(Connections.Borrowed connection, Script script) {
        connection.inTransaction(true);
        script.add(BEGIN).add(NO_LIMIT);
        return script.isDistributed() ? script.add(ONE_CONNECTION) : script;
    }

    @Override
    public Connections.Borrowed connection() {
        return connection;
    }

    @Override
    public Script begin(Script script) {
        return begin(connection, script);
    }

    @Override
    public RuntimeException translate(SQLException e) {
        return Errors.translate(e);
    }

    @Override
    public void settle(ReadSet.SeenSlot slot, long time) {
        FinalTimes.Looked looked = node.finalTimes().look(slot.slot(), time, begun);
        if (looked != null) {
            slot.moved(looked);
        }
    }

    @Override
    public boolean seesLaterCommits() {
        return false;
    }

    @Override
    public long nextNumber(ReadSet.SeenSlot slot) {
        if (!slot.hasNumber()) {
            reserve(slot);
        }
        return node.slots().number(slot.slot(), slot.takeNumber());
    }

    private void reserve(ReadSet.SeenSlot seen) {
        int slot = seen.slot();
        long count = seen.reserved() == 0 ? FIRST_BLOCK : seen.reserved() * 10;
        List<LogHead> before = new ArrayList<>();
        List<Long> first = new ArrayList<>();
        Connections connections = node.connections();
        Script script = LogHead.lock(node.timeouts().begin(connections.script()), slot);
        connections.runOnce(LogHead.query(script, List.of(slot), before::add)
                .query(RESERVE, row -> first.add(row.getLong(1)), count, UUID.randomUUID(), slot)
                .add("COMMIT"));
        LogHead head = LogHead.required(slot, before);
        node.timelines().requireSettled(head);
        try {
            seen.reserve(head, first.get(0), count);
        } catch (ConflictException e) {
            conflicted.run();
            throw e;
        }
    }
}
