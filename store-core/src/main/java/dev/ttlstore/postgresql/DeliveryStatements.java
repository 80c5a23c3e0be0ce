package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.BYTES;
import static dev.ttlstore.postgresql.RowColumns.Type.INTEGER;
import static dev.ttlstore.postgresql.RowColumns.Type.NUMBER;
import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;
import static dev.ttlstore.postgresql.SlotDeliveries.EACH_SLOT;
import static dev.ttlstore.postgresql.SlotDeliveries.PARKED;

/**
 * The statements that change subscribers and their deliveries, within a commit. Before it changes deliveries of a slot, it
 * locks the slot; before it changes subscribers, it locks all slots, so that no expiry is missed. Used by one thread.
 */
final class DeliveryStatements implements DeliveryTable {

    private static final String ADD = """
            INSERT INTO @subscriber (slot, name, groups_from, groups_to, name_in_scopes) VALUES (0, ?, ?, ?, ?)
            ON CONFLICT (slot, name) DO UPDATE
               SET groups_from = excluded.groups_from, groups_to = excluded.groups_to,
                   name_in_scopes = excluded.name_in_scopes
            """;

    private static final String REMOVE_SUBSCRIBER = "DELETE FROM @subscriber s WHERE s.slot = 0 AND s.name = ?::text";

    private static final String REMOVE_LEASES = "DELETE FROM @lease p WHERE p.slot = ANY (?) AND p.role = ANY (?)";

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
    private static final String LINE = "left(%s, 100)";

    private static final String BEHIND = """
            SELECT d.id
              FROM unnest(?::int[], ?::bigint[]) r (slot, id)
              JOIN @delivery d ON d.slot = r.slot AND d.subscriber = ?::text AND d.id = r.id
             WHERE EXISTS (SELECT 1 FROM @delivery f
                            WHERE f.slot = d.slot AND %s = %s AND f.subscriber = d.subscriber AND f.grp = d.grp
                              AND f.key = d.key AND f.next_at IS NOT NULL AND f.id < d.id){each d}
            """.formatted(LINE.formatted("f.subscriber"), LINE.formatted("d.subscriber"));

    private static final String SCHEDULE = """
            UPDATE @delivery d
               SET next_at = r.next_at
              FROM unnest(?::int[], ?::bigint[], ?::bigint[]) r (slot, id, next_at)
             WHERE d.slot = r.slot AND d.id = r.id AND d.next_at IS NOT NULL{each d}
            """;

    private static final String FIRST =
            """
            SELECT d.subscriber, d.grp, d.key, d.id, d.expires_at
              FROM unnest(?::int[], ?::text[], ?::text[], ?::text[]) r (slot, subscriber, grp, key)
             CROSS JOIN LATERAL (
                   SELECT * FROM @delivery f
                    WHERE f.slot = r.slot AND %s = %s AND f.subscriber = r.subscriber COLLATE "C"
                      AND f.grp = r.grp COLLATE "C" AND f.key = r.key COLLATE "C" AND f.next_at IS NOT NULL{each f}
                    ORDER BY f.id
                    LIMIT 1) d
            """.formatted(LINE.formatted("f.subscriber"), LINE.formatted("r.subscriber COLLATE \"C\""));

    private static final String REMOVE = """
            DELETE FROM @delivery d
             USING unnest(?::int[], ?::bigint[]) r (slot, id)
             WHERE d.slot = r.slot AND d.id = r.id AND d.next_at < %d{each d}
            RETURNING d.subscriber, d.grp, d.key
            """.formatted(PARKED);

    private static final String UPDATE = """
            UPDATE @delivery d
               SET attempts = ?, next_at = ?, error = ?
             WHERE d.slot = ? AND d.id = ? AND d.next_at < %d
            RETURNING d.subscriber, d.grp, d.key
            """.formatted(PARKED);

    private static final String HASTEN = """
            UPDATE @delivery d SET next_at = ?
             WHERE d.slot = ANY (?) AND d.subscriber = ?::text AND d.next_at > ? AND d.next_at < %d
            """.formatted(PARKED);

    private static final String OF_DEAD = """
             FROM @delivery d
             WHERE d.slot = ANY (?) AND d.subscriber = ?::text AND d.next_at IS NULL AND (?::bigint = 0 OR d.id = ?)
            """;

    private static final String DEAD = "SELECT d.subscriber, d.grp, d.key, d.id" + OF_DEAD;

    private static final String REVIVE = """
            UPDATE @delivery d
               SET attempts = 0, next_at = %d
              FROM unnest(?::int[], ?::bigint[]) r (slot, id)
             WHERE d.slot = r.slot AND d.id = r.id AND d.next_at IS NULL{each d}
            """.formatted(PARKED);

    private static final String REMOVE_DEAD = "DELETE" + OF_DEAD;

    private static final String OLDEST =
            EACH_SLOT.formatted("d.slot, d.id, d.expires_at", "d.next_at IS NOT NULL", "d.expires_at, d.id", "3, 2");

    /** Parked deliveries come before those with a time, because theirs is the last one. */
    private static final String IN = EACH_SLOT.formatted(
            "d.slot, d.id, d.next_at",
            "d.grp >= ?::text AND (?::text IS NULL OR d.grp < ?::text)",
            "d.next_at DESC",
            "3 DESC");

    private static final String REMOVE_SOME = """
            DELETE FROM @delivery d
             USING unnest(?::int[], ?::bigint[]) r (slot, id)
             WHERE d.slot = r.slot AND d.id = r.id{each d}
            RETURNING d.subscriber, d.grp, d.key, d.next_at
            """;

    private final LockedTransaction transaction;
    private final Slots slots;
    private final List<Inserted> inserted = new ArrayList<>();

    private record Inserted(String subscriber, long id) {}

    DeliveryStatements(LockedTransaction transaction) {
        this.transaction = transaction;
        this.slots = transaction.slots();
    }

    private void write(String template, Object... parameters) {
        Script unused = transaction.writes().add(template, parameters);
    }

    private void read(String query, Script.RowHandler reader, Object... parameters) {
        transaction.run(transaction.script().query(query, reader, parameters));
    }

    private void write(String template, Script.RowHandler returned, Object... parameters) {
        Script unused = transaction.writes().query(template, returned, parameters);
    }

    @Override
    public void add(Subscriber subscriber) {
        transaction.hold(slots.all());
        write(
                ADD,
                subscriber.name(),
                subscriber.groups().from(),
                Script.orNull(subscriber.groups().to(), TEXT),
                Script.orNull(subscriber.nameInScopes(), TEXT));
    }

    @Override
    public void removeSubscriber(String subscriber) {
        transaction.hold(slots.all());
        write(REMOVE_SUBSCRIBER, subscriber);
        write(
                REMOVE_LEASES,
                RowColumns.integers(slots.all()),
                RowColumns.texts(List.of(SlotDeliveries.role(subscriber), SlotDeliveries.seenRole(subscriber))));
    }

    @Override
    public long insert(String subscriber, Collection<Row> rows) {
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
        long id = transaction.nextNumber(slot);
        inserted.add(new Inserted(subscriber, id));
        return id;
    }

    @Override
    public List<Long> behind(long mark) {
        List<Long> found = new ArrayList<>();
        Script script = transaction.script();
        inserted.subList((int) mark, inserted.size()).stream()
                .collect(Collectors.groupingBy(
                        Inserted::subscriber, Collectors.mapping(Inserted::id, Collectors.toList())))
                .forEach((subscriber, ids) ->
                        script.query(BEHIND, row -> found.add(row.getLong(1)), Columns.ids(slots, ids), subscriber));
        if (!script.isEmpty()) {
            transaction.run(script);
        }
        return found;
    }

    /** Locks the slots of deliveries. */
    private void hold(Collection<Long> ids) {
        transaction.holdNext(ids.stream().map(slots::slot).toList());
    }

    @Override
    public void schedule(Map<Long, Long> times) {
        if (!times.isEmpty()) {
            hold(times.keySet());
            times.keySet().forEach(id -> transaction.recorded(slots.slot(id)));
            Columns columns = new Columns(INTEGER, NUMBER, NUMBER);
            times.forEach((id, time) -> columns.add(slots.slot(id), id, time));
            write(SCHEDULE, columns);
        }
    }

    @Override
    public List<Waiting> first(Set<Line> lines) {
        List<Waiting> found = new ArrayList<>();
        if (!lines.isEmpty()) {
            Columns columns = new Columns(INTEGER, TEXT, TEXT, TEXT);
            lines.forEach(line -> {
                RowKey key = line.key();
                columns.add(slots.of(key.group()), line.subscriber(), key.group(), key.key());
            });
            transaction.holdNext(
                    lines.stream().map(line -> slots.of(line.key().group())).toList());
            read(FIRST, row -> found.add(new Waiting(line(row), row.getLong(4), row.getLong(5))), columns);
        }
        return found;
    }

    @Override
    public Set<Line> remove(Collection<Long> ids) {
        Set<Line> removed = new HashSet<>();
        if (!ids.isEmpty()) {
            hold(ids);
            write(REMOVE, row -> removed.add(line(row)), Columns.ids(slots, ids));
            transaction.run(transaction.script());
        }
        return removed;
    }

    @Override
    public Map<Long, Line> update(Collection<DeliveryUpdate> updates) {
        Map<Long, Line> changed = new HashMap<>();
        hold(updates.stream().map(DeliveryUpdate::id).toList());
        for (DeliveryUpdate update : updates) {
            write(
                    UPDATE,
                    row -> changed.put(update.id(), line(row)),
                    update.attempts(),
                    Script.orNull(RowColumns.time(update.nextAt()), NUMBER),
                    Script.orNull(update.error(), TEXT),
                    slots.slot(update.id()),
                    update.id());
        }
        transaction.run(transaction.script());
        return changed;
    }

    @Override
    public int hasten(String subscriber, long latest) {
        transaction.hold(slots.all());
        transaction.recorded(0);
        return transaction.change(HASTEN, latest, RowColumns.integers(slots.all()), subscriber, latest);
    }

    @Override
    public Map<Long, Line> dead(String subscriber, long id) {
        List<Integer> some = id == DeliveryCommand.ALL ? slots.all() : List.of(slots.slot(id));
        transaction.hold(some);
        Map<Long, Line> dead = new HashMap<>();
        read(DEAD, row -> dead.put(row.getLong(4), line(row)), RowColumns.integers(some), subscriber, id, id);
        return dead;
    }

    @Override
    public void revive(Collection<Long> ids) {
        if (!ids.isEmpty()) {
            write(REVIVE, Columns.ids(slots, ids));
        }
    }

    @Override
    public int removeDead(String subscriber, long id) {
        List<Integer> some = id == DeliveryCommand.ALL ? slots.all() : List.of(slots.slot(id));
        transaction.hold(some);
        return transaction.change(REMOVE_DEAD, RowColumns.integers(some), subscriber, id, id);
    }

    @Override
    public long countWaiting(String subscriber) {
        transaction.hold(slots.all());
        return SlotDeliveries.backlog(transaction, slots, subscriber).pending();
    }

    @Override
    public List<Removed> removeOldest(String subscriber, int limit) {
        List<Removed> removed = new ArrayList<>();
        removeSome(
                found(OLDEST, slots.all(), subscriber, limit, limit),
                row -> removed.add(new Removed(line(row), row.getLong(4) != PARKED)));
        return removed;
    }

    @Override
    public int remove(String subscriber, GroupRange groups, int limit) {
        return removeSome(found(IN, slots.of(groups), subscriber, groups, limit, limit), row -> {});
    }

    /** Finds the ids of deliveries in slots, and locks the slots. */
    private List<Long> found(String query, List<Integer> some, Object... parameters) {
        transaction.hold(some);
        Object[] all = Stream.concat(Stream.of(RowColumns.integers(some)), Arrays.stream(parameters))
                .toArray();
        return transaction.list(query, row -> row.getLong(2), all);
    }

    private int removeSome(List<Long> ids, Script.RowHandler removed) {
        if (!ids.isEmpty()) {
            write(REMOVE_SOME, removed, Columns.ids(slots, ids));
            transaction.run(transaction.script());
        }
        return ids.size();
    }

    /** Reads the columns subscriber, grp and key. */
    private static Line line(ResultSet row) throws SQLException {
        return new Line(row.getString(1), RowColumns.key(row, 2));
    }
}
