package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/**
 * Reads pages of a group. The server cuts a page when its values have reached a size, so that large values do not fill the
 * memory. Used by one thread, for one page.
 */
final class PageQuery {

    /** A page ends with the row at which its values have reached this many bytes. */
    private static final long BYTES = 1024 * 1024;

    /** How many rows the server looks at for one page. */
    private static final int MOST_ROWS = 4_096;

    /** The rows that a read at a time may return; those that expire between the two are for the reader to judge. */
    static final String LIVE = "(e.expires_at IS NULL OR e.expires_at > %s)";

    static final String AT_TIME = LIVE.formatted("?");

    /** By the time of the newest commit, which is not later than any reader's. */
    static final String AT_HEAD = LIVE.formatted(
            "(SELECT " + ServerClock.AT.formatted("l") + " FROM @log l WHERE l.slot = ? ORDER BY l.seq DESC LIMIT 1)");

    /** The columns {@code %1$s} of a page of the rows of a query {@code %2$s}. */
    static final String CUT = """
            SELECT %%s
              FROM (SELECT p.*, count(*) OVER () AS total,
                           sum(octet_length(value)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
                               - octet_length(value) AS before
                      FROM (SELECT q.*, row_number() OVER () AS place FROM (%%s) q) p) r
             WHERE before < %d
             ORDER BY place
            """.formatted(BYTES);

    private static final String COLUMNS =
            "SELECT e.version, e.created_at, e.updated_at, " + RowColumns.EXPIRY + " AS expires_at, e.value, e.key";

    private static final String SCAN = COLUMNS + """
              FROM @entry e
             WHERE e.slot = ? AND e.grp = ?::text AND e.key >= ?::text %s AND %s
             ORDER BY e.key %s
             LIMIT ?
            """;

    /** With the expiry, to judge the rows. */
    private static final String VALUES = SCAN.replace("e.version, e.created_at, e.updated_at", "0, 0, 0");

    private static final String CREATED = COLUMNS + """
              FROM @entry e
             WHERE e.slot = ? AND e.grp = ?::text AND (e.created_at, e.key) > (?, ?::text) AND e.created_at < ? AND %s
             ORDER BY e.created_at, e.key
             LIMIT ?
            """;

    private final Scan scan;
    private final int limit;
    private final List<Row> rows = new ArrayList<>();
    private long total;

    private PageQuery(Scan scan) {
        this.scan = scan;
        this.limit = scan.isWhole() ? scan.limit() : Math.min(scan.limit(), MOST_ROWS);
    }

    /** Adds the query for a page by key or by creation. The liveness has one parameter, which comes after the bounds. */
    static PageQuery of(Script script, int slot, Scan scan, String liveness, Object liveAt) {
        PageQuery page = new PageQuery(scan);
        if (!scan.isByKey()) {
            page.add(
                    script,
                    CREATED.formatted(liveness),
                    slot,
                    scan.group(),
                    scan.after().time(),
                    scan.after().key().key(),
                    scan.before(),
                    liveAt,
                    page.limit);
            return page;
        }
        String query = scan.isWhole() ? VALUES : SCAN;
        String direction = scan.order() == Scan.Order.KEY_REVERSED ? "DESC" : "ASC";
        String to = scan.to();
        List<Object> parameters = new ArrayList<>(List.of(slot, scan.group(), scan.from()));
        if (to != null) {
            parameters.add(to);
        }
        parameters.addAll(List.of(liveAt, page.limit));
        page.add(
                script,
                query.formatted(to == null ? "" : "AND e.key < ?::text", liveness, direction),
                parameters.toArray());
        return page;
    }

    private void add(Script script, String query, Object... parameters) {
        Script unused = script.query(
                scan.isWhole()
                        ? query
                        : CUT.formatted("version, created_at, updated_at, expires_at, value, key, total", query),
                this::read,
                parameters);
    }

    private void read(ResultSet row) throws SQLException {
        rows.add(RowColumns.row(new RowKey(scan.group(), row.getString(6)), row));
        if (!scan.isWhole()) {
            total = row.getLong(7);
        }
    }

    List<Row> rows() {
        return rows;
    }

    /** Returns the page, once the script has run. */
    RowPage page() {
        return new RowPage(rows, total > rows.size() || total == limit, true);
    }
}
