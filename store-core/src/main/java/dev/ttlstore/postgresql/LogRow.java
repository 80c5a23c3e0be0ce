package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Row;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.BYTES;
import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;

/**
 * A commit in the log of a slot, or a part of one with many changes.
 *
 * @param slot the slot
 * @param seq a number of the commit; that of its last part is the last one
 * @param batch its id
 * @param due the earliest expiry that it has set; {@link Row#NEVER} if none
 * @param deliveries whether it has recorded deliveries
 * @param changes what it has changed, as {@link ChangeCodec} writes it; null if there is nothing to report, and empty if it was not read
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LogRow(int slot, long seq, UUID batch, long due, boolean deliveries, byte @Nullable [] changes) {

    /** Tests whether the commit is of interest to other nodes. */
    boolean isNews() {
        return changes != null || due != Row.NEVER || deliveries;
    }

    /** Reads the columns of {@link #SINCE}. */
    static LogRow of(ResultSet row) throws SQLException {
        return of(row, 3, 4);
    }

    /** Reads the columns of {@link LogHead#since}. */
    static LogRow ofHead(ResultSet row) throws SQLException {
        return of(row, 7, 9);
    }

    /** Reads slot and seq from the first columns, batch from a column, and due, deliveries and changes from another one on. */
    private static LogRow of(ResultSet row, int batch, int due) throws SQLException {
        return new LogRow(
                row.getInt(1),
                row.getLong(2),
                row.getObject(batch, UUID.class),
                RowColumns.time(row, due),
                row.getBoolean(due + 1),
                row.getBytes(due + 2));
    }

    /** Later than all times that numbers follow, and as a version of any slot still a number. */
    private static final long LAST_SEQ = 1L << 57;

    /**
     * That a store has written the row {@code %1$s} of the log: others would be the last ones of their slots for ever, and leave no
     * numbers for later ones. So they count for nothing.
     */
    static final String OF_A_STORE = "%%1$s.seq <= %1$d AND %%1$s.n <= %1$d".formatted(LAST_SEQ);

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
     * @param rows one or more for each slot, with the same batch
     * @param at the time of each
     */
    static void add(Script script, List<LogRow> rows, ToLongFunction<LogRow> at) {
        if (rows.size() > 1 && !script.isDistributed()) {
            addAll(script, rows, at);
            return;
        }
        for (LogRow row : rows) {
            Script unused = script.add(
                    ADD,
                    row.slot(),
                    row.seq(),
                    at.applyAsLong(row),
                    row.batch(),
                    Script.orNull(RowColumns.time(row.due()), NUMBER),
                    row.deliveries(),
                    Script.orNull(row.changes(), BYTES));
        }
    }

    private static void addAll(Script script, List<LogRow> rows, ToLongFunction<LogRow> at) {
        Columns columns = new Columns(INTEGER, NUMBER, NUMBER, NUMBER, INTEGER, BYTES);
        for (LogRow row : rows) {
            columns.add(row.slot(), row.seq(), at.applyAsLong(row), row.due(), row.deliveries() ? 1 : 0, row.changes());
        }
        Script unused = script.add(ADD_ALL, rows.get(0).batch(), columns);
    }

    /** How many commits of a slot are read at once. */
    static final int AT_ONCE = 1_000;

    /** How many bytes of a slot are read at once, and those of the row that reaches it. */
    private static final int BYTES_AT_ONCE = 64 * 1024;

    /** What a row takes in memory beside its changes, about. */
    private static final int BYTES_OF_ROW = 128;

    /**
     * A row with more bytes of changes is of an earlier version, which did not share large commits out. It is a gap. So is one with
     * none at all, which no store writes: it would look as if it was not read, for ever.
     */
    private static final int TOO_MANY_BYTES = 1024 * 1024;

    /** Changes in a form that is unknown to everybody. */
    private static final String GAP = "decode('00', 'hex')";

    /** The changes of a row, or nothing of them if the rows that were read before it have reached the limit. */
    static final String CHANGES = "CASE WHEN l.before >= " + BYTES_AT_ONCE + " THEN substr(l.changes, 1, 0)"
            + " WHEN octet_length(l.changes) NOT BETWEEN 1 AND " + TOO_MANY_BYTES + " THEN " + GAP
            + " ELSE l.changes END";

    /** The changes of a row if they are few; nothing of them otherwise. */
    static final String FEW_CHANGES =
            "CASE WHEN octet_length(l.changes) > 8192 THEN substr(l.changes, 1, 0) WHEN octet_length(l.changes) = 0 THEN "
                    + GAP + " ELSE l.changes END";

    /**
     * Up to so many commits of the slot {@code %1$s} from the place {@code %2$s} on in the order {@code %3$s}, with the bytes of those
     * before each. The place itself does not count.
     */
    static final String PAGE = """
            SELECT m.*, sum(m.bytes) OVER (PARTITION BY m.slot ORDER BY m.seq %%3$s) - m.bytes AS before
              FROM (SELECT n.*, CASE WHEN n.seq > %%2$s THEN coalesce(octet_length(n.changes), 0) + %d ELSE 0 END AS bytes
                      FROM @log n
                     WHERE n.slot = %%1$s AND n.seq >= %%2$s AND %s
                     ORDER BY n.seq %%3$s
                     LIMIT %d) m
            """.formatted(BYTES_OF_ROW, OF_A_STORE.formatted("n"), AT_ONCE);

    /** The commits of some slots since a place in each. The place comes first, without its changes, which are known. */
    static final String SINCE = """
            SELECT l.slot, l.seq, l.batch, l.due, l.deliveries, CASE WHEN l.seq > s.seq THEN %s END
              FROM {slots seq}
             CROSS JOIN LATERAL (%s) l
             ORDER BY l.slot, l.seq
            """.formatted(CHANGES, PAGE.formatted("s.slot", "s.seq", "ASC"));

    /** Tests whether there are changes that were not read, because others have come before them. */
    boolean isUnread() {
        return changes != null && changes.length == 0;
    }

    /** Returns the place of the commit. */
    LogPlace place() {
        return new LogPlace(seq, batch);
    }

    /** Tests whether there may be more commits of a slot than were read. */
    static boolean isPart(List<LogRow> rows) {
        return rows.size() == AT_ONCE || rows.stream().anyMatch(LogRow::isUnread);
    }

    static Map<Integer, List<LogRow>> bySlot(List<LogRow> rows) {
        return rows.stream().collect(Collectors.groupingBy(LogRow::slot, HashMap::new, Collectors.toList()));
    }

    /** Returns what it has changed; null if its form is unknown, or if it cannot be that of the commit. */
    @Nullable
    List<Change> decoded(Slots slots) {
        List<Change> decoded = changes == null ? List.of() : ChangeCodec.decode(changes);
        return decoded != null && decoded.stream().allMatch(change -> isNumbered(change, slots)) ? decoded : null;
    }

    /** Tests whether it may have given the number of a change: watches would pass over all later events up to a larger one. */
    private boolean isNumbered(Change change, Slots slots) {
        return change.kind() == Change.Kind.SHORTENED
                || (slots.slot(change.sequence()) == slot && slots.seq(change.sequence()) <= seq);
    }

    /**
     * A commit of this node, and where it stands in the log.
     *
     * @param batch its id; null if it adds nothing
     * @param own the rows that it adds, at least one for each slot that it has changed
     * @param before the newest commits before it, since the places at which its slots were locked, each slot's in their order
     */
    record OwnCommit(@Nullable UUID batch, List<LogRow> own, List<LogRow> before) {

        /** Returns where the commit is in the log if it was made. */
        CommitPlace place() {
            LogRow first = own.get(0);
            return new CommitPlace(first.batch(), first.slot(), first.seq(), first.seq());
        }
    }

    /**
     * Where a commit is in the log if it was made.
     *
     * @param batch its id
     * @param slot one of its slots
     * @param from its number there is not less than this one
     * @param to nor greater than this one; once a number from here on is used, it cannot be made any more
     */
    record CommitPlace(UUID batch, int slot, long from, long to) {}

    /**
     * A place in the log of a slot: that of a commit.
     *
     * @param seq the number of the commit; the last one if it has several
     * @param batch its id
     */
    record LogPlace(long seq, UUID batch) {

        /** Returns slots, and the numbers of the places in them. */
        static Columns columns(SortedMap<Integer, LogPlace> places) {
            Columns columns = new Columns(INTEGER, NUMBER);
            places.forEach((slot, place) -> columns.add(slot, place.seq()));
            return columns;
        }

        /** Tests whether there may have been commits between this place and the first one that was read. */
        boolean isBehind(LogRow first) {
            return first.seq() > seq || (first.seq() == seq && !first.batch().equals(batch));
        }
    }
}
