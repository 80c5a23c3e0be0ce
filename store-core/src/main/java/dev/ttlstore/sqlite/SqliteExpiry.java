package dev.ttlstore.sqlite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryLines;

/** The statements for expired rows: they are removed, and deliveries and retained rows keep what is needed of them. */
final class SqliteExpiry {

    /** The due rows. They are removed, or moved to their place in the index if they were renewed meanwhile. */
    private static final String DUE_ROWS = """
            (SELECT id FROM entry
              WHERE due_at <= ?1 AND grp >= ?2 AND grp < ?3
              ORDER BY due_at, grp, key
              LIMIT ?4)
            """;

    /** Before they are removed, because SQLite takes much longer to return rows from a deletion. */
    static final String LIST_EXPIRED = """
            SELECT grp, key, version, expires_at, octet_length(key) + octet_length(value)
              FROM entry
             WHERE id IN %s AND due_at = expires_at
            """.formatted(DUE_ROWS);

    static final String REMOVE_EXPIRED = """
            DELETE FROM entry WHERE id IN %s AND due_at = expires_at
            """.formatted(DUE_ROWS);

    static final String RETAIN_EXPIRED = """
            INSERT OR REPLACE INTO retained (grp, key, value, checksum, version, created_at, updated_at, expires_at)
            SELECT grp, key, value, checksum, version, created_at, updated_at, expires_at
              FROM entry
             WHERE id IN %s AND due_at = expires_at AND grp >= ?5 AND grp < ?6
            """.formatted(DUE_ROWS);

    /**
     * Records deliveries without reading the values; {@link DeliveryLines#inserted} decides about their order. Selects
     * the groups as {@link Subscriber#selects} does. A name within a namespace follows the first colon.
     */
    static final String DELIVER_EXPIRED = """
            INSERT INTO delivery (subscriber, grp, key, value, checksum, version, expires_at, attempts, next_at)
            SELECT ?5, grp, key, value, checksum, version, expires_at, 0, expires_at
              FROM entry
             WHERE id IN %s AND due_at = expires_at AND grp >= ?6 AND grp < ?7
               AND (?8 IS NULL
                    OR instr(grp, ':') > 1
                       AND substr(grp, instr(grp, ':') + 1) = ?8
                       AND substr(grp, 1, instr(grp, ':') - 1) NOT GLOB '*[^a-zA-Z0-9-]*')
             ORDER BY expires_at
            """.formatted(DUE_ROWS);

    static final String MOVE_RENEWED = """
            UPDATE entry SET due_at = expires_at WHERE id IN %s AND due_at < expires_at
            """.formatted(DUE_ROWS);

    private static final String RETAIN = """
            INSERT OR REPLACE INTO retained (version, created_at, updated_at, value, checksum, grp, key, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """;

    /** Follows the order of the table; the plus signs keep SQLite from the index of groups. */
    static final String FORGET = """
            DELETE FROM retained
             WHERE (expires_at, grp, key, version) IN
                   (SELECT expires_at, grp, key, version FROM retained
                     WHERE expires_at <= ? AND +grp >= ? AND +grp < ?
                     LIMIT ?)
            """;

    /** Uses the index of groups, because other groups may have many older rows that are kept for longer. */
    static final String FORGET_GROUP = """
            DELETE FROM retained
             WHERE (expires_at, grp, key, version) IN
                   (SELECT expires_at, grp, key, version FROM retained
                     WHERE grp = ? AND expires_at <= ?
                     LIMIT ?)
            """;

    /** How many expired rows are removed before a purge checks for waiting writers. */
    private static final int PURGE_STEP = 64;

    /** A purge ends with the step at which the rows that it lists reach this many characters. */
    static final long LISTED_CHARS = 1024 * 1024;

    private final SqliteSession session;
    private long pages;
    private boolean moving;

    /** Whether the current purge has recorded a delivery. */
    private boolean recorded;

    /** Which rows to purge, and what to keep of them: the rows themselves, deliveries for subscribers, and a list. */
    private record Purge(
            GroupRange groups, long now, List<GroupRange> retained, List<Subscriber> subscribers, boolean listed) {}

    /** What a purge has removed. */
    private static final class Gone {
        private final List<ExpiryRow> listed = new ArrayList<>();
        private int count;
        private long chars;

        private void list(List<ExpiryRow> rows) {
            listed.addAll(rows);
            for (ExpiryRow row : rows) {
                chars += row.key().group().length() + row.key().key().length();
            }
        }
    }

    SqliteExpiry(SqliteSession session) {
        this.session = session;
    }

    /** Returns roughly how many pages were written so far. */
    long pages() {
        return pages;
    }

    /** Tests whether rows were written to another table. */
    boolean movesRows() {
        return moving;
    }

    /**
     * Removes expired rows in steps.
     *
     * @param removalLimit how many rows there is room to remove
     */
    PurgeResult purge(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained, int removalLimit) {
        Purge purge = new Purge(groups, now, retained, SqliteDeliveries.subscribers(session), budget.listed());
        moving |= !retained.isEmpty() || !purge.subscribers().isEmpty();
        recorded = false;
        Gone gone = new Gone();
        boolean more;
        do {
            more = removeSome(purge, Math.min(step(budget.rows() - gone.count), removalLimit), gone);
            // Where room is scarce, one step is all that fits: rows that it moves take room too.
        } while (more
                && removalLimit == Integer.MAX_VALUE
                && gone.count < budget.rows()
                && gone.chars < LISTED_CHARS
                && budget.goOn().getAsBoolean());
        return new PurgeResult(gone.count, gone.listed, more, recorded);
    }

    /** A purge without a limit is one step, because each step passes the expired rows of other groups again. */
    private static int step(int rows) {
        return rows == Integer.MAX_VALUE ? rows : Math.min(rows, PURGE_STEP);
    }

    /** Removes a step of rows, and returns whether there may be more. */
    private boolean removeSome(Purge purge, int limit, Gone gone) {
        List<ExpiryRow> listed = new ArrayList<>();
        int removed = removeDue(purge, limit, listed);
        boolean more = removed == limit;
        if (!more && moveRenewed(purge, limit) > 0) {
            // Some of the moved rows have expired as well, and come before rows that were removed in their place.
            removed += removeDue(purge, limit - removed, listed);
            more = true;
        }
        listed.sort(Comparator.comparingLong(ExpiryRow::expiresAt)); // SQLite lists them in no particular order
        pages += removed;
        gone.list(listed);
        gone.count += removed;
        return more;
    }

    private int removeDue(Purge purge, int limit, List<ExpiryRow> listed) {
        for (GroupRange retained : purge.retained()) {
            bind(RETAIN_EXPIRED, purge, limit).range(retained).update();
        }
        if (!purge.subscribers().isEmpty()) {
            SqliteDeliveryTable table = new SqliteDeliveryTable(session);
            long mark = table.mark();
            for (Subscriber subscriber : purge.subscribers()) {
                int deliveries = bind(DELIVER_EXPIRED, purge, limit)
                        .text(subscriber.name())
                        .range(subscriber.groups())
                        .text(subscriber.nameInScopes())
                        .update();
                pages += deliveries;
                recorded |= deliveries > 0;
            }
            new DeliveryLines(table).inserted(mark);
        }
        if (purge.listed()) {
            listed.addAll(bind(LIST_EXPIRED, purge, limit).list(EntryColumns::expiryRow));
        }
        return bind(REMOVE_EXPIRED, purge, limit).update();
    }

    private int moveRenewed(Purge purge, int limit) {
        int moved = bind(MOVE_RENEWED, purge, limit).update();
        pages += moved;
        return moved;
    }

    private SqliteStatement bind(String sql, Purge purge, int limit) {
        return session.bind(sql).number(purge.now()).range(purge.groups()).number(limit);
    }

    /** Records deliveries for expired rows that are removed by name, and retains those of some groups. */
    boolean keep(Collection<Row> rows, List<GroupRange> retained) {
        List<Row> kept = rows.stream()
                .filter(row -> retained.stream()
                        .anyMatch(groups -> groups.contains(row.key().group())))
                .toList();
        if (!kept.isEmpty()) {
            moving = true;
            retain(session, kept);
        }
        boolean forSubscribers =
                new DeliveryLines(new SqliteDeliveryTable(session)).record(SqliteDeliveries.subscribers(session), rows);
        moving |= forSubscribers;
        return forSubscribers;
    }

    /** Keeps rows as retained ones. */
    static void retain(SqliteSession session, Collection<Row> rows) {
        for (Row row : rows) {
            session.bind(RETAIN)
                    .row(row, session.reads().checksum())
                    .time(row.expiresAt())
                    .update();
        }
    }

    /** Removes retained rows. */
    int forget(GroupRange groups, long until, int limit) {
        SqliteStatement statement = groups.isOneGroup()
                ? session.bind(FORGET_GROUP).text(groups.from()).number(until).number(limit)
                : session.bind(FORGET).number(until).range(groups).number(limit);
        int forgotten = statement.update();
        pages += forgotten;
        return forgotten;
    }
}
