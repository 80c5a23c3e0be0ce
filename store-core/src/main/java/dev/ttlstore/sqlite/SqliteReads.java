package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.engine.Totals;
import dev.ttlstore.engine.Utf8;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The reading statements, on one session. */
final class SqliteReads implements EngineReads {

    /** In place of null, so that one call tells it. */
    private static final String EXPIRY = "ifnull(expires_at, " + Row.NEVER + ")";

    static final String READ = """
            SELECT version, created_at, updated_at, %s, value
              FROM entry
             WHERE grp = ? AND key = ?
            """.formatted(EXPIRY);

    static final String READ_GROUP = """
            SELECT key, value
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
            """;

    static final String SCAN = """
            SELECT version, created_at, updated_at, %s, value, key
              FROM entry
             WHERE grp = ? AND key >= ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)
             ORDER BY key
             LIMIT ?
            """.formatted(EXPIRY);

    static final String SCAN_REVERSED = SCAN.replace("ORDER BY key", "ORDER BY key DESC");

    static final String COUNT = """
            SELECT count(*)
              FROM entry
             WHERE grp = ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    static final String COUNT_RANGE = """
            SELECT count(*)
              FROM entry
             WHERE grp >= ? AND grp < ? AND (expires_at IS NULL OR expires_at > ?)
            """;

    /** All counts in one statement, so that they are of one moment. The second goes by the expiry index. */
    static final String TOTALS = """
            SELECT (SELECT count(*) FROM entry),
                   (SELECT count(*) FROM entry WHERE due_at <= ?1 AND expires_at <= ?1),
                   (SELECT count(*) FROM retained)
            """;

    /** Steps from group to group by the index of names, rather than over every row of each. */
    static final String GROUPS = """
            WITH RECURSIVE name(grp) AS (
                SELECT min(grp) FROM entry WHERE grp >= ?1 AND grp < ?2
                UNION ALL
                SELECT (SELECT min(grp) FROM entry WHERE grp > name.grp AND grp < ?2)
                  FROM name
                 WHERE name.grp IS NOT NULL
            )
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

    /** The place is one bound of the index and no filter: what is before it among rows of one time is not stepped over. */
    static final String EXPIRIES = """
            SELECT grp, key, version, expires_at, due_at, octet_length(key) + octet_length(value)
              FROM entry
             WHERE (due_at, grp, key) > (?, ?, ?) AND due_at < ? AND grp >= ? AND grp < ?
               AND expires_at >= ? AND expires_at < ?
             ORDER BY due_at, grp, key
             LIMIT ?
            """;

    static final String NEXT_DUE = "SELECT min(due_at) FROM entry WHERE due_at IS NOT NULL";

    static final String RETAINED = """
            SELECT version, created_at, updated_at, expires_at, value, key, grp
              FROM retained
             WHERE (expires_at, grp, key, version) > (?, ?, ?, ?) AND expires_at < ? AND grp >= ? AND grp < ?
             ORDER BY expires_at, grp, key, version
             LIMIT ?
            """;

    static final String STATE = "SELECT sequence, time FROM mark";

    /** A page of a walk ends when its values have come to this many bytes. */
    private static final long PAGE_BYTES = 1024 * 1024;

    private static final byte[] NO_BYTES = {};

    private final SqliteSession session;

    SqliteReads(SqliteSession session) {
        this.session = session;
    }

    @Override
    public @Nullable Row read(RowKey key) {
        return session.<@Nullable Row>call(() -> readNow(key));
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        return session.call(() -> {
            Map<RowKey, Row> rows = new HashMap<>();
            for (RowKey key : keys) {
                Row row = readNow(key);
                if (row != null) {
                    rows.put(key, row);
                }
            }
            return rows;
        });
    }

    private @Nullable Row readNow(RowKey key) throws SQLException {
        Prepared read = session.prepared(READ);
        read.statement().setString(1, key.group());
        read.statement().setString(2, key.key());
        try (ResultSet result = read.query()) {
            return result.next() ? row(key, result) : null;
        }
    }

    @Override
    public RowPage scan(Scan scan) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(scan.reversed() ? SCAN_REVERSED : SCAN);
            statement.setString(1, scan.group());
            statement.setString(2, scan.from());
            setUpperBound(statement, 3, scan.to());
            statement.setLong(4, scan.now());
            statement.setInt(5, scan.limit());
            List<Row> rows = new ArrayList<>();
            long bytes = 0;
            try (ResultSet result = statement.executeQuery()) {
                while (bytes < PAGE_BYTES && result.next()) {
                    Row row = row(new RowKey(scan.group(), text(result, 6)), result);
                    rows.add(row);
                    bytes += row.value().length;
                }
            }
            return new RowPage(rows, rows.size() == scan.limit() || bytes >= PAGE_BYTES);
        });
    }

    @Override
    public List<KeyValue> readGroup(String group, long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(READ_GROUP);
            statement.setString(1, group);
            statement.setLong(2, now);
            List<KeyValue> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(new KeyValue(text(result, 1), bytes(result, 2)));
                }
            }
            return rows;
        });
    }

    @Override
    public long count(String group, long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(COUNT);
            statement.setString(1, group);
            statement.setLong(2, now);
            return number(statement);
        });
    }

    @Override
    public long count(GroupRange groups, long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(COUNT_RANGE);
            setRange(statement, 1, groups);
            statement.setLong(3, now);
            return number(statement);
        });
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        }
    }

    Totals totals(long now) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(TOTALS);
            statement.setLong(1, now);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                long expired = result.getLong(2);
                return new Totals(result.getLong(1) - expired, expired, result.getLong(3));
            }
        });
    }

    @Override
    public List<String> groups(GroupRange groups, String after, long now, int limit) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(GROUPS);
            boolean begun = Utf8.ORDER.compare(after, groups.from()) >= 0;
            statement.setString(1, begun ? Utf8.next(after) : groups.from());
            setUpperBound(statement, 2, groups.to());
            statement.setLong(3, now);
            statement.setInt(4, limit);
            List<String> names = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    names.add(text(result, 1));
                }
            }
            return names;
        });
    }

    @Override
    public List<GroupUsage> usage(GroupRange groups) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(USAGE);
            setRange(statement, 1, groups);
            List<GroupUsage> usages = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    usages.add(new GroupUsage(text(result, 1), result.getLong(2), result.getLong(3)));
                }
            }
            return usages;
        });
    }

    @Override
    public List<ExpiryRow> expiries(ExpiryScan scan) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(EXPIRIES);
            ExpiryScan.Position after = scan.after();
            // The index is entered where the walk is, or where the first row may be that expires in it.
            long first = SqliteSchema.firstDue(scan.from());
            boolean begun = after.dueAt() >= first;
            statement.setLong(1, begun ? after.dueAt() : first);
            statement.setString(2, begun ? after.key().group() : ""); // before every name
            statement.setString(3, begun ? after.key().key() : "");
            statement.setLong(4, scan.to());
            setRange(statement, 5, scan.groups());
            statement.setLong(7, scan.from());
            statement.setLong(8, scan.to());
            statement.setInt(9, scan.limit());
            return expiryRows(statement);
        });
    }

    /** The first place in the expiry index that is taken; {@link Row#NEVER} if none is. */
    long nextDue() {
        return session.call(() -> {
            try (ResultSet result = session.prepare(NEXT_DUE).executeQuery()) {
                result.next();
                long due = result.getLong(1);
                return result.wasNull() ? Row.NEVER : due;
            }
        });
    }

    /** Reads rows of the columns grp, key, version, expires_at, due_at and the size, in this order. */
    static List<ExpiryRow> expiryRows(PreparedStatement statement) throws SQLException {
        List<ExpiryRow> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                RowKey key = new RowKey(text(result, 1), text(result, 2));
                rows.add(
                        new ExpiryRow(key, result.getLong(3), result.getLong(4), result.getLong(5), result.getLong(6)));
            }
        }
        return rows;
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        return session.call(() -> {
            PreparedStatement statement = session.prepare(RETAINED);
            RetainedScan.Position after = scan.after();
            boolean begun = after.expiresAt() >= scan.from();
            statement.setLong(1, begun ? after.expiresAt() : scan.from());
            statement.setString(2, begun ? after.key().group() : ""); // before every name
            statement.setString(3, begun ? after.key().key() : "");
            statement.setLong(4, begun ? after.version() : 0);
            statement.setLong(5, scan.to());
            setRange(statement, 6, scan.groups());
            statement.setInt(8, scan.limit());
            List<Row> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(row(new RowKey(text(result, 7), text(result, 6)), result));
                }
            }
            return rows;
        });
    }

    StoreState state() {
        return session.call(() -> {
            try (ResultSet result = session.prepare(STATE).executeQuery()) {
                result.next();
                return new StoreState(result.getLong(1), result.getLong(2));
            }
        });
    }

    /** Reads the columns version, created_at, updated_at, the expiry and value, in this order. */
    private static Row row(RowKey key, ResultSet result) throws SQLException {
        return new Row(
                key, bytes(result, 5), result.getLong(1), result.getLong(2), result.getLong(3), result.getLong(4));
    }

    /** The driver reads an empty blob as null, of which there are none. */
    static byte[] bytes(ResultSet result, int column) throws SQLException {
        byte[] bytes = result.getBytes(column);
        return bytes == null ? NO_BYTES : bytes;
    }

    /** Reads text by its bytes: the driver's own way takes a detour by a direct buffer for each. */
    static String text(ResultSet result, int column) throws SQLException {
        return new String(result.getBytes(column), UTF_8);
    }

    static void setRange(PreparedStatement statement, int index, GroupRange groups) throws SQLException {
        statement.setString(index, groups.from());
        setUpperBound(statement, index + 1, groups.to());
    }

    /** Behind every text comes the empty blob, as SQLite orders things. */
    private static void setUpperBound(PreparedStatement statement, int index, @Nullable String bound)
            throws SQLException {
        if (bound == null) {
            statement.setBytes(index, new byte[0]);
        } else {
            statement.setString(index, bound);
        }
    }
}
