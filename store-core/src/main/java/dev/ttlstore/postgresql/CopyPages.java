package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopyPage.Kind;
import dev.ttlstore.engine.CopyPage.StoredDelivery;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Row;

/**
 * The rows of all tables, slot by slot and page by page, each page after the last row of the one before. Used by one
 * thread.
 */
final class CopyPages {

    private static final int PAGE_ROWS = 500;

    /** A page ends with the row at which its values have reached this many bytes. */
    private static final long PAGE_BYTES = 1024 * 1024;

    /** Cuts a page on the server. */
    private static final String CUT = """
            SELECT r.*
              FROM (SELECT p.*, sum(octet_length(p.value)) OVER (ORDER BY p.place ROWS UNBOUNDED PRECEDING)
                               - octet_length(p.value) AS before
                      FROM (SELECT q.*, row_number() OVER () AS place FROM (%%s LIMIT %d) q) p) r
             WHERE r.before < %d
             ORDER BY r.place
            """.formatted(PAGE_ROWS, PAGE_BYTES);

    private static final String ENTRIES =
            CUT.formatted("SELECT e.version, e.created_at, e.updated_at, " + SlotColumns.EXPIRY + """
             AS expires_at, e.value, e.grp, e.key
              FROM @entry e
             WHERE e.slot = ? AND (e.grp, e.key) > (?::text, ?::text)
             ORDER BY e.grp, e.key
            """);

    private static final String RETAINED = CUT.formatted("""
            SELECT e.version, e.created_at, e.updated_at, e.expires_at, e.value, e.grp, e.key
              FROM @retained e
             WHERE e.slot = ? AND (e.expires_at, e.grp, e.key, e.version) > (?, ?::text, ?::text, ?)
             ORDER BY e.expires_at, e.grp, e.key, e.version
            """);

    private static final String DELIVERIES = CUT.formatted("""
            SELECT d.id, d.subscriber, d.grp, d.key, d.version, d.expires_at, d.attempts, d.next_at, d.error, d.value
              FROM @delivery d
             WHERE d.slot = ? AND d.id > ?
             ORDER BY d.id
            """);

    private final Runner runner;
    private final Slots slots;

    CopyPages(Runner runner, Slots slots) {
        this.runner = runner;
        this.slots = slots;
    }

    /** Reads the next page, slot by slot. */
    CopyPage page(Kind kind, Place after) {
        boolean starts = after.equals(Place.START);
        if (kind == Kind.SUBSCRIBERS) {
            return CopyPage.ofSubscribers(starts ? SlotDeliveries.subscribers(runner) : List.of());
        }
        int first = starts
                ? 0
                : kind == Kind.DELIVERIES
                        ? slots.slot(after.version())
                        : slots.of(after.key().group());
        CopyPage page = page(kind, first, after);
        for (int slot = first + 1; slot < slots.count() && page.isEmpty(); slot++) {
            page = page(kind, slot, Place.START);
        }
        return page;
    }

    private CopyPage page(Kind kind, int slot, Place after) {
        return switch (kind) {
            case ENTRIES -> CopyPage.ofEntries(runner.list(ENTRIES, CopyPages::row, slot, after.key()));
            case RETAINED ->
                CopyPage.ofRetained(
                        runner.list(RETAINED, CopyPages::row, slot, after.time(), after.key(), after.version()));
            case DELIVERIES ->
                CopyPage.ofDeliveries(runner.list(DELIVERIES, CopyPages::delivery, slot, after.version()));
            case SUBSCRIBERS -> throw new IllegalArgumentException("Subscribers are in no slot");
        };
    }

    private static Row row(ResultSet row) throws SQLException {
        return SlotColumns.row(SlotColumns.key(row, 6), row);
    }

    private static StoredDelivery delivery(ResultSet row) throws SQLException {
        long nextAt = SlotColumns.time(row, 8);
        boolean parked = !row.wasNull() && nextAt == SlotDeliveries.PARKED;
        return new StoredDelivery(
                new Delivery(
                        row.getLong(1),
                        row.getString(2),
                        SlotColumns.key(row, 3),
                        row.getLong(5),
                        row.getLong(6),
                        row.getInt(7),
                        nextAt,
                        row.getString(9)),
                parked,
                row.getBytes(10));
    }
}
