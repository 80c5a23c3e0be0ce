package dev.ttlstore.sqlite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.support.ExpiryIndexWalk;
import dev.ttlstore.engine.support.ExpiryIndexWalk.DueRow;

/** The reads of one session. */
final class SqliteReads implements Reads {

    /** Replaces null by a number, so that one call reads it. */
    private static final String EXPIRY = "ifnull(expires_at, " + Row.NEVER + ")";

    static final String READ = """
            SELECT version, created_at, updated_at, %s, value, %s
              FROM entry
             WHERE grp = ? AND key = ?
            """.formatted(EXPIRY, RowChecksum.COLUMN);

    static final String SCAN = """
            SELECT version, created_at, updated_at, %s, value, %s, key
              FROM entry
             WHERE grp = ? AND key >= ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
             LIMIT ?
            """.formatted(EXPIRY, RowChecksum.COLUMN);

    static final String VALUES = """
            SELECT key, version, value, %s
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
            """.formatted(RowChecksum.COLUMN);

    static final String SCAN_REVERSED = SCAN.replace("ORDER BY key", "ORDER BY key DESC");

    /** The place is a bound of the index, as in {@link #EXPIRIES}. */
    static final String CREATED = """
            SELECT version, created_at, updated_at, %s, value, %s, key
              FROM entry
             WHERE grp = ? AND (aged_at, key) > (?, ?) AND aged_at < ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY aged_at, key
             LIMIT ?
            """.formatted(EXPIRY, RowChecksum.COLUMN);

    private static final String AGED_GROUPS = "SELECT grp, complete FROM aged_group";

    static final String COUNT = """
            SELECT count(*)
              FROM entry
             WHERE grp = ? AND key >= ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    static final String COUNT_RANGE = """
            SELECT count(*)
              FROM entry
             WHERE grp >= ? AND grp < ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    /** All counts in one statement, so that they are of one moment. The second count uses the expiry index. */
    static final String TOTALS = """
            SELECT (SELECT count(*) FROM entry),
                   (SELECT count(*) FROM entry WHERE due_at <= ?1 AND expires_at <= ?1),
                   (SELECT count(*) FROM retained)
            """;

    /** Names the groups of a table, and steps from one to the next in an index instead of over every row. */
    private static final String GROUP_NAMES = """
            WITH RECURSIVE name(grp) AS (
                SELECT min(grp) FROM %1$s WHERE grp >= ?1 AND grp < ?2
                UNION ALL
                SELECT (SELECT min(grp) FROM %1$s WHERE grp > name.grp AND grp < ?2)
                  FROM name
                 WHERE name.grp IS NOT NULL
            )
            """;

    static final String GROUPS = GROUP_NAMES.formatted("entry") + """
            SELECT grp
              FROM name
             WHERE EXISTS (SELECT 1 FROM entry
                            WHERE entry.grp = name.grp AND (expires_at IS NULL OR expires_at > ?3))
             LIMIT ?4
            """;

    static final String USAGE = """
            SELECT grp, count(*), sum(octet_length(key) + octet_length(value))
              FROM entry
             WHERE grp >= ? AND grp < ?
             GROUP BY grp
            """;

    /**
     * The place is a bound of the index and not a filter, so earlier rows with the same due time are not stepped
     * over.
     */
    static final String EXPIRIES = """
            SELECT grp, key, version, expires_at, octet_length(key) + octet_length(value), due_at
              FROM entry
             WHERE (due_at, grp, key) > (?, ?, ?) AND due_at < ? AND grp >= ? AND grp < ?
               AND expires_at >= ? AND expires_at < ?
             ORDER BY due_at, grp, key
             LIMIT ?
            """;

    static final String NEXT_DUE = "SELECT min(due_at) FROM entry WHERE due_at IS NOT NULL";

    /** Only looks into the index. */
    static final String DUE = "SELECT count(*) FROM (SELECT 1 FROM entry WHERE due_at <= ? LIMIT ?)";

    static final String RETAINED = """
            SELECT version, created_at, updated_at, expires_at, value, %s, grp, key
              FROM retained
             WHERE (expires_at, grp, key, version) > (?, ?, ?, ?) AND expires_at < ? AND grp >= ? AND grp < ?
             ORDER BY expires_at, grp, key, version
             LIMIT ?
            """.formatted(RowChecksum.COLUMN);

    /** Finds the groups, and the first row of each, in the index of groups. */
    static final String RETAINED_GROUPS = GROUP_NAMES.formatted("retained") + """
            SELECT grp, (SELECT min(expires_at) FROM retained WHERE retained.grp = name.grp)
              FROM name
             WHERE grp IS NOT NULL
             LIMIT ?3
            """;

    /** A page of a scan ends when its values have reached this many bytes. */
    private static final long PAGE_BYTES = 1024 * 1024;

    private final SqliteSession session;
    private final RowChecksum checksum = new RowChecksum();

    SqliteReads(SqliteSession session) {
        this.session = session;
    }

    /** Returns what computes the checksums of the session. */
    RowChecksum checksum() {
        return checksum;
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        Row row = readNow(key);
        return row == null || row.isLiveAt(at) ? row : null;
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        Map<RowKey, Row> rows = read(keys, Long.MAX_VALUE);
        rows.values().removeIf(row -> !row.isLiveAt(at));
        return rows;
    }

    /** Reads rows, live or expired, whose values do not take more than a number of bytes; throws {@link LargeLoadException} if they do. */
    Map<RowKey, Row> read(Collection<RowKey> keys, long most) {
        Map<RowKey, Row> rows = new HashMap<>(2 * keys.size());
        long bytes = 0;
        for (RowKey key : keys) {
            Row row = readNow(key);
            if (row != null) {
                rows.put(key, row);
                bytes += row.storedValue().length;
                if (bytes > most) {
                    throw new LargeLoadException();
                }
            }
        }
        return rows;
    }

    /** Reads a row. This is the most frequent query. */
    private @Nullable Row readNow(RowKey key) {
        return session.bind(READ).name(key).<@Nullable Row>first(row -> EntryColumns.row(key, row, checksum));
    }

    @Override
    public RowPage page(Scan scan) {
        return switch (scan.order()) {
            case KEY -> byKey(SCAN, scan);
            case KEY_REVERSED -> byKey(SCAN_REVERSED, scan);
            case VALUES -> values(scan);
            case CREATION -> byCreation(scan);
            case RETAINED -> retained(scan);
        };
    }

    private RowPage byKey(String statement, Scan scan) {
        return page(
                scan,
                session.bind(statement).text(scan.group()).text(scan.from()).upperBound(scan.to()));
    }

    private RowPage values(Scan scan) {
        List<Row> rows = session.bind(VALUES)
                .text(scan.group())
                .number(scan.at())
                .list(row -> EntryColumns.valueRow(scan.group(), row, 1, checksum));
        return new RowPage(rows, false, true);
    }

    private RowPage byCreation(Scan scan) {
        return page(
                scan,
                session.bind(CREATED)
                        .text(scan.group())
                        .number(scan.after().time())
                        .text(scan.after().key().key())
                        .number(scan.before()));
    }

    /** Reads the rows of a page of a group, up to a total size. */
    private RowPage page(Scan scan, SqliteStatement bound) {
        List<Row> rows = new ArrayList<>();
        long[] bytes = {0};
        boolean cut = bound.number(scan.at()).number(scan.limit()).until(found -> {
            Row row = EntryColumns.row(new RowKey(scan.group(), EntryColumns.text(found, 7)), found, checksum);
            rows.add(row);
            bytes[0] += row.storedValue().length;
            return bytes[0] >= PAGE_BYTES;
        });
        return new RowPage(rows, cut || rows.size() == scan.limit(), true);
    }

    private RowPage retained(Scan scan) {
        List<Row> rows = session.bind(RETAINED)
                .number(scan.after().time())
                .name(scan.after().key())
                .number(scan.after().version())
                .number(scan.before())
                .range(scan.groups())
                .number(scan.limit())
                .list(row -> EntryColumns.row(EntryColumns.key(row, 7), row, checksum));
        return new RowPage(rows, rows.size() == scan.limit(), true);
    }

    @Override
    public long count(Scan scan) {
        SqliteStatement bound = scan.groups().isOneGroup()
                ? session.bind(COUNT).text(scan.group()).text(scan.from()).upperBound(scan.to())
                : session.bind(COUNT_RANGE).range(scan.groups());
        return bound.number(scan.at()).one(row -> row.getLong(1));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        return scan.order() == Scan.Order.RETAINED
                ? session.bind(RETAINED_GROUPS)
                        .range(scan.groups())
                        .number(scan.limit())
                        .list(row -> new GroupInfo(EntryColumns.text(row, 1), row.getLong(2)))
                : session.bind(GROUPS)
                        .range(scan.groups())
                        .number(scan.at())
                        .number(scan.limit())
                        .list(row -> GroupInfo.of(EntryColumns.text(row, 1)));
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        return new ExpiryIndexWalk(last -> due(scan, last), scan.pageSize());
    }

    /** Counts the rows of groups, live or expired. */
    List<GroupUsage> usage(GroupRange groups) {
        return session.bind(USAGE)
                .range(groups)
                .list(row -> new GroupUsage(EntryColumns.text(row, 1), row.getLong(2), row.getLong(3)));
    }

    /** Returns the groups that have entries in the age index, and whether all of their entries are in it. */
    Map<String, Boolean> agedGroups() {
        Map<String, Boolean> complete = new HashMap<>();
        session.bind(AGED_GROUPS).each(row -> complete.put(EntryColumns.text(row, 1), row.getBoolean(2)));
        return complete;
    }

    Totals totals(long now) {
        return session.bind(TOTALS).number(now).one(row -> {
            long expired = row.getLong(2);
            return new Totals(row.getLong(1) - expired, expired, row.getLong(3));
        });
    }

    /** Reads a page of the expiry index. */
    List<DueRow> due(ExpiryScan scan, Place last) {
        // Enters the index where the walk is, or at the first place where a row of the time span may be.
        long first = Layouts.firstDue(scan.from());
        Place after = last.time() >= first ? last : Place.before(first);
        return session.bind(EXPIRIES)
                .number(after.time())
                .name(after.key())
                .number(scan.to())
                .range(scan.groups())
                .number(scan.from())
                .number(scan.to())
                .number(scan.pageSize())
                .list(row -> new DueRow(EntryColumns.expiryRow(row), row.getLong(6)));
    }

    /** Returns the first due time in the expiry index; {@link Row#NEVER} if it is empty. */
    long nextDue() {
        return session.bind(NEXT_DUE).one(row -> EntryColumns.time(row, 1));
    }

    /** Tests whether so many rows are due. */
    boolean areDue(long now, int rows) {
        return session.bind(DUE).number(now).number(rows).one(row -> row.getInt(1)) == rows;
    }
}
