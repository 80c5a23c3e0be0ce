package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A commit in the log of a slot.
 *
 * @param slot the slot
 * @param seq the last number of the commit
 * @param batch its id
 * @param due the earliest expiry that it has set; {@link dev.ttlstore.engine.Row#NEVER} if none
 * @param deliveries whether it has recorded deliveries
 * @param changes what it has changed, as {@link ChangeCodec} writes it; null if there is nothing to report
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LogRow(int slot, long seq, UUID batch, long due, boolean deliveries, byte @Nullable [] changes) {

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
