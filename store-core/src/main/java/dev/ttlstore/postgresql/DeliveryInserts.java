package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.postgresql.SlotColumns.Columns;

import static dev.ttlstore.postgresql.SlotColumns.Type.BYTES;
import static dev.ttlstore.postgresql.SlotColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.SlotColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.SlotColumns.Type.TEXT;

/** The statements that insert deliveries within a commit, and know them until its end. Used by one thread. */
final class DeliveryInserts {

    private static final String INSERT =
            "INSERT INTO @delivery (slot, id, subscriber, grp, key, version, expires_at, attempts, next_at, value) %s";

    /** Copies the values on the server. */
    private static final String COPY = """
            INSERT INTO @delivery (slot, subscriber, id, grp, key, version, expires_at, attempts, next_at, value)
            SELECT e.slot, ?, r.id, e.grp, e.key, e.version, e.expires_at, 0, e.expires_at, e.value
              FROM unnest(?::int[], ?::bigint[], ?::text[], ?::text[]) r (slot, id, grp, key)
              JOIN @entry e ON e.slot = r.slot AND e.grp = r.grp COLLATE "C" AND e.key = r.key COLLATE "C"{each e}
            """;

    /** What the index of the lines has of a subscriber's name. */
    static final String LINE = "left(%s, 100)";

    private static final String BEHIND = """
            SELECT d.id
              FROM unnest(?::int[], ?::bigint[]) r (slot, id)
              JOIN @delivery d ON d.slot = r.slot AND d.subscriber = ?::text AND d.id = r.id
             WHERE EXISTS (SELECT 1 FROM @delivery f
                            WHERE f.slot = d.slot AND %s = %s AND f.subscriber = d.subscriber AND f.grp = d.grp
                              AND f.key = d.key AND f.next_at IS NOT NULL AND f.id < d.id){each d}
            """.formatted(LINE.formatted("f.subscriber"), LINE.formatted("d.subscriber"));

    private final LockedTransaction transaction;
    private final Slots slots;
    private final List<Inserted> inserted = new ArrayList<>();

    private record Inserted(String subscriber, long id) {}

    DeliveryInserts(LockedTransaction transaction) {
        this.transaction = transaction;
        this.slots = transaction.slots();
    }

    /** As {@link DeliveryTable#insert} says. */
    long insert(String subscriber, Collection<Row> rows) {
        long mark = inserted.size();
        Columns columns = new Columns(INTEGER, NUMBER, TEXT, TEXT, TEXT, NUMBER, NUMBER, INTEGER, NUMBER, BYTES);
        for (Row row : rows) {
            String group = row.key().group();
            int slot = slots.of(group);
            long id = next(subscriber, slot);
            long due = row.expiresAt();
            columns.add(slot, id, subscriber, group, row.key().key(), row.version(), due, 0, due, row.value());
        }
        Script unused = transaction.writes().insert(INSERT, columns);
        return mark;
    }

    /** Does the same for rows that are still in the table of entries. */
    long copy(String subscriber, Collection<ExpiryRow> rows) {
        long mark = inserted.size();
        Columns columns = new Columns(INTEGER, NUMBER, TEXT, TEXT);
        for (ExpiryRow row : rows) {
            int slot = slots.of(row.key().group());
            columns.add(
                    slot, next(subscriber, slot), row.key().group(), row.key().key());
        }
        Script unused = transaction.writes().add(COPY, subscriber, columns);
        return mark;
    }

    private long next(String subscriber, int slot) {
        transaction.recorded(slot);
        long id = transaction.nextId(slot);
        inserted.add(new Inserted(subscriber, id));
        return id;
    }

    /** As {@link DeliveryTable#behind} says. */
    List<Long> behind(long mark) {
        Map<String, List<Long>> bySubscriber = new HashMap<>();
        for (Inserted delivery : inserted.subList((int) mark, inserted.size())) {
            bySubscriber
                    .computeIfAbsent(delivery.subscriber(), name -> new ArrayList<>())
                    .add(delivery.id());
        }
        List<Long> found = new ArrayList<>();
        Script script = transaction.script();
        bySubscriber.forEach((subscriber, ids) ->
                script.query(BEHIND, row -> found.add(row.getLong(1)), Columns.ids(slots, ids), subscriber));
        if (!script.isEmpty()) {
            transaction.run(script);
        }
        return found;
    }
}
