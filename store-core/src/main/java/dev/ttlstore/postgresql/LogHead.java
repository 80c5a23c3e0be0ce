package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.LogRow.LogPlace;

/**
 * The head of a slot: what its newest commit has logged.
 *
 * @param slot the slot
 * @param seq the last number of that commit
 * @param taken how many numbers from there on are taken
 * @param at the time of that commit, in milliseconds since the epoch; long ago if it is not {@linkplain dev.ttlstore.engine.ClockLeap#isBelievable
 *     believable}
 * @param clock the server's time, in milliseconds since the epoch
 * @param micros the server's time, in microseconds
 * @param batch the id of that commit
 * @param server when the server has started, in microseconds
 */
record LogHead(int slot, long seq, long taken, long at, long clock, long micros, UUID batch, long server) {

    /** How far numbers may be behind the clock. */
    private static final long BEHIND_MICROS = 50_000;

    private static final String OF_A_STORE = LogRow.OF_A_STORE.formatted("l");

    private static final String AT = ServerClock.AT.formatted("l");

    /**
     * Locks a slot until the transaction ends. Only who may change the store's tables can take such a lock, so no other role can stop
     * its writes.
     */
    private static final String LOCK = "SELECT s.slot FROM @slot s WHERE s.slot = ? FOR UPDATE";

    /** Not in a distributed database, which locks one row at a time. */
    private static final String LOCK_SOME =
            "SELECT s.slot FROM @slot s WHERE s.slot = ANY (?::int[]) ORDER BY s.slot FOR UPDATE";

    /** The lock of an earlier version, which any role of the database can take. */
    private static final String LOCK_AS_BEFORE =
            "SELECT pg_advisory_xact_lock({store}, s.slot) FROM pg_catalog.unnest(?::int[]) s (slot)";

    /**
     * The other transaction that has locked a slot, if there is one: until it ends, it holds a lock of its own number. One that is
     * prepared for a commit in two phases belongs to no process.
     */
    private static final String HOLDER = """
            SELECT l.transactionid::text
              FROM @slot s
              JOIN pg_locks l ON l.transactionid = s.xmax
             WHERE s.slot = ? AND l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
               AND l.pid IS DISTINCT FROM pg_backend_pid()
            """;

    /** The newest commit of a slot, to continue from. */
    private static final String NEWEST = "(SELECT l.slot, l.seq, l.n, " + AT
            + " AS at FROM @log l WHERE l.slot = ? AND " + OF_A_STORE + " ORDER BY l.seq DESC LIMIT 1)";

    /** Adds a row to the log of a slot that changes nothing, from the number {@code %1$s} on and with {@code %2$s} numbers, of the time {@code %3$s}. */
    static final String APPEND = """
            INSERT INTO @log (slot, seq, n, at, batch, deliveries)
            SELECT h.slot, %%1$s, %%2$s, %%3$s, ?, false
              FROM %s h
            """.formatted(NEWEST);

    private static final String ONE = """
            SELECT l.slot, l.seq, l.n, %s, {now}, {micros}, l.batch, {server}
              FROM @log l
             WHERE l.slot = ? AND %s
             ORDER BY l.seq DESC
             LIMIT 1
            """.formatted(AT, OF_A_STORE);

    private static final String SOME = """
            SELECT h.slot, h.seq, h.n, h.at, {now}, {micros}, h.batch, {server}
              FROM {slots}
             CROSS JOIN LATERAL (
                   SELECT l.slot, l.seq, l.n, %s AS at, l.batch
                     FROM @log l
                    WHERE l.slot = s.slot AND %s
                    ORDER BY l.seq DESC
                    LIMIT 1) h
            """.formatted(AT, OF_A_STORE);

    /** Without a sum of bytes, which takes the server longer to compute than all the rest. So large ones are left out. */
    private static final String RECENT = """
            SELECT * FROM @log n WHERE n.slot = %%s AND n.seq >= %%s AND %s ORDER BY n.seq DESC LIMIT %d
            """.formatted(LogRow.OF_A_STORE.formatted("n"), LogRow.AT_ONCE);

    private static final String SINCE_RECENT = since(RECENT.formatted("?", "?"), LogRow.FEW_CHANGES);

    private static final String SINCE = since(LogRow.PAGE.formatted("?", "?", "DESC"), LogRow.CHANGES);

    private static final String SINCE_EACH_RECENT = sinceEach(RECENT.formatted("s.slot", "s.seq"), LogRow.FEW_CHANGES);

    private static final String SINCE_EACH =
            sinceEach(LogRow.PAGE.formatted("s.slot", "s.seq", "DESC"), LogRow.CHANGES);

    /** Names its slot, so that a distributed database asks only the server of that. */
    private static String since(String rows, String changes) {
        return """
                SELECT l.slot, l.seq, l.n, %s, {now}, {micros}, l.batch, {server}, l.due, l.deliveries, CASE WHEN l.seq > ? THEN %s END
                  FROM (%s) l
                 ORDER BY l.seq DESC
                """.formatted(AT, changes, rows);
    }

    private static String sinceEach(String rows, String changes) {
        return """
                SELECT l.slot, l.seq, l.n, %s, {now}, {micros}, l.batch, {server}, l.due, l.deliveries,
                       CASE WHEN l.seq > s.seq THEN %s END
                  FROM {slots seq}
                 CROSS JOIN LATERAL (%s) l
                 ORDER BY l.slot, l.seq DESC
                """.formatted(AT, changes, rows);
    }

    /** Adds the lock of a slot, until the transaction ends. */
    static Script lock(Script script, int slot) {
        return lock(script, List.of(slot), LOCK, slot);
    }

    /** Adds the locks of some slots in ascending order, until the transaction ends. */
    static Script lock(Script script, SortedSet<Integer> slots) {
        if (slots.size() > 1 && !script.isDistributed()) {
            return lock(script, slots, LOCK_SOME, RowColumns.integers(slots));
        }
        slots.forEach(slot -> lock(script, slot));
        return script;
    }

    /** Adds locks, and the check that each slot had a row. Without one nothing is locked, and two commits would not know of each other. */
    private static Script lock(Script script, Collection<Integer> slots, String lock, Object parameter) {
        Set<Integer> missing = new TreeSet<>(slots);
        Script locks = lockAsBefore(script, slots).query(lock, row -> missing.remove(row.getInt(1)), parameter);
        return locks.then(() -> {
            if (!missing.isEmpty()) {
                throw new StoreException(
                        "The table slot lacks the rows of the slots " + missing + ", which commits lock",
                        "Apply the statements INSERT of schema.sql from the jar of the store, or restore a backup",
                        null);
            }
        });
    }

    /** Adds the locks by which nodes of an earlier version know that slots are taken, while there may be such nodes. */
    static Script lockAsBefore(Script script, Collection<Integer> slots) {
        return script.hasEarlierNodes() ? script.add(LOCK_AS_BEFORE, RowColumns.integers(slots)) : script;
    }

    /** Adds the query for the other transaction that has locked a slot; there may be none. Not for a distributed database. */
    static Script holder(Script script, int slot, Consumer<String> found) {
        return script.query(HOLDER, row -> found.accept(row.getString(1)), slot);
    }

    /**
     * Adds the query for the newest commits of some slots since a place in each, by slot and the newest one first. The columns are
     * those of {@link #of} and then those of {@link LogRow} that it has not. So one query answers what the heads are, and
     * what has come before them.
     *
     * @param recent whether the places were the newest a short while ago, so that there cannot be very much
     */
    static Script since(Script script, SortedMap<Integer, LogPlace> places, boolean recent, Script.RowHandler reader) {
        if (places.size() == 1) {
            int slot = places.firstKey();
            long seq = places.values().iterator().next().seq();
            return recent
                    ? script.query(SINCE_RECENT, reader, seq, slot, seq)
                    : script.query(SINCE, reader, seq, seq, slot, seq);
        }
        return script.query(recent ? SINCE_EACH_RECENT : SINCE_EACH, reader, LogPlace.columns(places));
    }

    /** Adds the query for the heads of some slots. */
    static Script query(Script script, Collection<Integer> slots, Consumer<LogHead> found) {
        Script.RowHandler reader = row -> found.accept(of(row));
        return slots.size() == 1
                ? script.query(ONE, reader, slots.iterator().next())
                : script.query(SOME, reader, RowColumns.integers(slots));
    }

    /** Reads the columns slot, seq, n, at, the clock in milliseconds and in microseconds, batch, and the server, in this order. */
    static LogHead of(ResultSet row) throws SQLException {
        return new LogHead(
                row.getInt(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getObject(7, UUID.class),
                row.getLong(8));
    }

    /** Returns the time of the slot. */
    long time() {
        return ServerClock.ofSlot(clock, at);
    }

    /** Requires that a query has found the newest row of a slot. */
    static <T> T required(int slot, List<T> found) {
        return required(slot, found.isEmpty() ? null : found.get(0));
    }

    /**
     * Requires that a slot has a newest row. It has had one since its table was made, and no store removes it.
     *
     * @param slot the slot
     * @param found what was found of it
     * @throws StoreCorruptedException if that is nothing
     */
    static <T> T required(int slot, @Nullable T found) {
        if (found == null) {
            throw new StoreCorruptedException(
                    "The slot " + slot
                            + " has no row in the log any more, or none in the table slot, so nothing in it can be read or written safely",
                    "Look who else writes to these tables, and apply the statements INSERT of schema.sql from the jar of the"
                            + " store, or restore a backup",
                    null);
        }
        return found;
    }

    /**
     * Returns the first free number. Numbers follow the clock, so that none is used again after a restore. They may be a little behind it, which takes less time than a failover: otherwise they would overtake the numbers of
     * commits that were decided without a lock and wait for it.
     */
    long next() {
        return Math.max(seq + taken, micros - BEHIND_MICROS);
    }
}
