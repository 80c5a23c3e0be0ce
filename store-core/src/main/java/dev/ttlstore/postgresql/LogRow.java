package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;

/**
 * A commit in the log of a slot.
 *
 * @param slot the slot
 * @param seq the last number of the commit
 * @param batch its id
 * @param due the earliest expiry that it has set; {@link Row#NEVER} if none
 * @param deliveries whether it has recorded deliveries
 * @param changes what it has changed, as {@link ChangeCodec} writes it; null if there is nothing to report
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LogRow(int slot, long seq, UUID batch, long due, boolean deliveries, byte @Nullable [] changes) {

    /** Tests whether the commit is of interest to other nodes. */
    boolean isNews() {
        return changes != null || due != Row.NEVER || deliveries;
    }

    /** Reads the columns of {@link #COLUMNS}. */
    static LogRow of(ResultSet row) throws SQLException {
        return new LogRow(
                row.getInt(1),
                row.getLong(2),
                row.getObject(3, UUID.class),
                Columns.time(row, 4),
                row.getBoolean(5),
                row.getBytes(6));
    }

    /** Reads the columns of {@link Head#SINCE}. */
    static LogRow ofHead(ResultSet row) throws SQLException {
        return new LogRow(
                row.getInt(1),
                row.getLong(2),
                row.getObject(7, UUID.class),
                Columns.time(row, 8),
                row.getBoolean(9),
                row.getBytes(10));
    }

    private static final String ADD = """
            INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes) VALUES (?, ?, 1, ?, ?, ?, ?, ?)
            """;

    private static final String ADD_ALL = """
            INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes)
            SELECT r.slot, r.seq, 1, r.at, ?, nullif(r.due, %d), r.deliveries = 1, r.changes
              FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[], ?::bytea[])
                   r (slot, seq, at, due, deliveries, changes)
            """.formatted(Row.NEVER);

    /**
     * Adds the rows of a commit to the log.
     *
     * @param script takes the statements
     * @param rows one for each slot, with the same batch
     * @param times the time of each
     */
    static void add(Script script, List<LogRow> rows, List<Long> times) {
        if (rows.size() > 1 && !script.isDistributed()) {
            addAll(script, rows, times);
            return;
        }
        for (int i = 0; i < rows.size(); i++) {
            LogRow row = rows.get(i);
            Script unused = script.add(
                    ADD,
                    row.slot(),
                    row.seq(),
                    times.get(i),
                    row.batch(),
                    Script.orNull(Columns.time(row.due())),
                    row.deliveries(),
                    Script.orNull(row.changes()));
        }
    }

    private static void addAll(Script script, List<LogRow> rows, List<Long> times) {
        Script.Column slots = Script.Column.integers();
        Script.Column seqs = Script.Column.numbers();
        Script.Column dues = Script.Column.numbers();
        Script.Column deliveries = Script.Column.integers();
        Script.Column changes = Script.Column.bytes();
        for (LogRow row : rows) {
            slots.add(row.slot());
            seqs.add(row.seq());
            dues.add(row.due());
            deliveries.add(row.deliveries() ? 1 : 0);
            changes.add(row.changes());
        }
        Script unused = script.add(
                ADD_ALL, rows.get(0).batch(), slots, seqs, Columns.numbers(times), dues, deliveries, changes);
    }

    static final String COLUMNS =
            "l.slot, l.seq, l.batch, l.due, l.deliveries, CASE WHEN l.seq > s.seq THEN l.changes END";

    /** How many commits of a slot are read at once. */
    static final int AT_ONCE = 1_000;

    /** The commits of some slots since a place in each. The place comes first, without its changes, which are known. */
    static final String SINCE = """
            SELECT %s
              FROM {slots seq}
             CROSS JOIN LATERAL (
                   SELECT * FROM @log n WHERE n.slot = s.slot AND n.seq >= s.seq ORDER BY n.seq LIMIT %d) l
             ORDER BY l.slot, l.seq
            """.formatted(COLUMNS, AT_ONCE);
}
