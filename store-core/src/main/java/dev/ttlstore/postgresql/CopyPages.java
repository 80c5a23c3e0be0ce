package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.CopySource.StoredDelivery;
import dev.ttlstore.engine.Delivery;
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

    List<Row> entries(@Nullable Row after) {
        return page(slot(after), after, (script, slot, last, found) -> {
            Script unused = script.query(
                    ENTRIES,
                    row -> found.add(SlotColumns.row(SlotColumns.key(row, 6), row)),
                    slot,
                    last == null ? "" : last.key().group(),
                    last == null ? "" : last.key().key());
        });
    }

    List<Row> retained(@Nullable Row after) {
        return page(slot(after), after, (script, slot, last, found) -> {
            Script unused = script.query(
                    RETAINED,
                    row -> found.add(SlotColumns.row(SlotColumns.key(row, 6), row)),
                    slot,
                    last == null ? Long.MIN_VALUE : last.expiresAt(),
                    last == null ? "" : last.key().group(),
                    last == null ? "" : last.key().key(),
                    last == null ? 0L : last.version());
        });
    }

    List<StoredDelivery> deliveries(@Nullable StoredDelivery after) {
        int first = after == null ? 0 : slots.slot(after.delivery().id());
        return page(first, after, (script, slot, last, found) -> {
            Script unused = script.query(
                    DELIVERIES,
                    row -> {
                        long nextAt = SlotColumns.time(row, 8);
                        boolean parked = !row.wasNull() && nextAt == SlotDeliveries.PARKED;
                        found.add(new StoredDelivery(
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
                                row.getBytes(10)));
                    },
                    slot,
                    last == null ? Long.MIN_VALUE : last.delivery().id());
        });
    }

    /** Reads the next page, slot by slot. */
    private <T> List<T> page(int first, @Nullable T after, Query<T> query) {
        List<T> found = new ArrayList<>();
        for (int slot = first; slot < slots.count() && found.isEmpty(); slot++) {
            Script script = runner.script();
            query.add(script, slot, slot == first ? after : null, found);
            runner.run(script);
        }
        return found;
    }

    /** Adds the query for a page of a slot after a row, or the first one after null. */
    private interface Query<T> {
        void add(Script script, int slot, @Nullable T after, List<T> found);
    }

    private int slot(@Nullable Row row) {
        return row == null ? 0 : slots.of(row.key().group());
    }
}
