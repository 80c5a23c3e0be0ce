package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.OutcomeUnknownException;

import static java.util.Objects.requireNonNull;

/** The row that a commit changes without having loaded it: what is expected of it, and what the server has found. Used by one thread. */
final class ExpectedRow {

    private static final String LOGGED = "SELECT l.changes FROM @log l WHERE l.slot = ? AND l.seq = ?";

    private final RowKey key;
    private final Expected expected;
    private @Nullable Result found;
    private @Nullable UUID before;
    private long time;

    /** The value of a row that was put. */
    private byte @Nullable [] sum;

    /**
     * What the server has found.
     *
     * @param changed whether the row was as expected, and was changed
     * @param row the live row before the change; null if there was none. Of a row that was changed, it has only what is needed to
     *     decide about it
     */
    record Result(boolean changed, @Nullable Row row) {}

    ExpectedRow(RowKey key, Expected expected) {
        this.key = key;
        this.expected = expected;
    }

    /**
     * Adds the statement that changes the row and logs the commit, if the row is as expected.
     *
     * @param script takes the statement
     * @param guard what else must hold
     * @param log the commit in the log
     * @param change the change of the row that stands in for it
     */
    void change(Script script, GuardedStores.Guard guard, LogRow log, RowChange change) {
        Row after = change.after();
        boolean put = after != null && !change.isRenewal();
        new ExpectingStores(script, guard, log, expected).add(key, change, row -> read(row, put));
    }

    private void read(ResultSet row, boolean put) throws SQLException {
        before = row.getObject(1, UUID.class);
        time = row.getLong(2);
        boolean changed = row.getBoolean(3);
        long version = row.getLong(4);
        if (row.wasNull()) {
            found = new Result(false, null);
            return;
        }
        byte[] value = row.getBytes(8);
        Row standIn = expected.standIn(key);
        // Of a row that was put, the server tells the new version and expiry. The new expiry may have passed, unless it
        // is the old one.
        boolean isNew = changed && put;
        boolean hasNewExpiry = isNew;
        if (isNew && expected.added() != null) {
            sum = requireNonNull(value);
            value = expected.before(value);
            hasNewExpiry = false;
        }
        found = new Result(
                changed,
                new Row(
                        key,
                        value == null ? standIn.value() : value,
                        isNew ? standIn.version() : version,
                        row.getLong(5),
                        row.getLong(6),
                        hasNewExpiry ? standIn.expiresAt() : row.getLong(7)));
    }

    /** Returns the batch of the head before; null if the commit was refused. */
    @Nullable
    UUID before() {
        return before;
    }

    /** Returns the time by which the server has judged the row. */
    long time() {
        return time;
    }

    Result found() {
        return requireNonNull(found);
    }

    /** Tests whether there is a row that has expired by the time of the server or of the commit. */
    boolean hasExpired(long now) {
        Row row = found().row();
        return !found().changed() && row != null && !row.isLiveAt(Math.max(time, now));
    }

    /** Tells what is known of the row after the commit. */
    void note(LastRows rows, RowChange change) {
        Row row = found().row();
        Row after = change.after();
        if (!found().changed()) {
            rows.read(key, row);
            rows.found(key, row);
        } else if (after == null) {
            rows.committed(key, null);
        } else if (change.isRenewal()) {
            rows.renewed(key, requireNonNull(row).version(), after.expiresAt());
        } else {
            Row replaced = requireNonNull(row);
            rows.committed(
                    key,
                    new Row(
                            key,
                            sum == null ? after.value() : sum,
                            after.version(),
                            replaced.createdAt(),
                            replaced.updatedAt(), // as the statement has stored it
                            sum == null ? after.expiresAt() : replaced.expiresAt()));
        }
    }

    /**
     * Asks the log for what was found, after the commit was made and its answer was lost.
     *
     * @throws ConflictException if the log does not tell, and the commit may be made once more
     * @throws OutcomeUnknownException if the log could not be asked
     */
    void ask(NodeParts parts, LogRow log, RowChange change) {
        if (change.after() != null && expected.added() == null) {
            if (expected.answered() != null) {
                throw new ConflictException("The answer of a renewal was lost");
            }
            found = new Result(true, expected.standIn(key));
            return;
        }
        byte[] logged = logged(parts, log);
        int written = requireNonNull(log.changes()).length;
        byte[] appended = Arrays.copyOfRange(logged, written, logged.length);
        if (expected.added() != null) {
            found = new Result(
                    true, new Row(key, expected.before(appended), 0, 0, 0, ChangeCodec.expiryOfOnly(logged, written)));
            return;
        }
        byte[] value = expected.answered() == null ? expected.standIn(key).value() : appended;
        found = new Result(true, new Row(key, value, ChangeCodec.versionOfOnly(logged, written), 0, 0, Row.NEVER));
    }

    private static byte[] logged(NodeParts parts, LogRow log) {
        List<byte[]> changes;
        try {
            changes = PatientQuery.ask(parts.timeouts(), () -> read(parts.connections(), log));
        } catch (SQLException | RuntimeException e) {
            throw unknown(e);
        }
        if (changes.isEmpty()) {
            throw unknown(new IllegalStateException("The log has been trimmed"));
        }
        return changes.get(0);
    }

    private static List<byte[]> read(Connections connections, LogRow log) {
        List<byte[]> changes = new ArrayList<>(1);
        connections.read(
                connections.script().query(LOGGED, row -> changes.add(row.getBytes(1)), log.slot(), log.seq()));
        return changes;
    }

    private static OutcomeUnknownException unknown(Exception cause) {
        return new OutcomeUnknownException(
                "A change was committed, but the connection to PostgreSQL was lost before it told what was changed",
                cause);
    }
}
