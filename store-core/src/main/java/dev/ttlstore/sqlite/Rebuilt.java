package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.RowRules;
import dev.ttlstore.engine.support.StoreState;

import static dev.ttlstore.sqlite.Layouts.PARKED;
import static java.util.Objects.requireNonNull;

/** The new file of a repair. Takes the rows that are valid, corrects what can be corrected, and moves the others to the side file. */
final class Rebuilt {

    static final String SUBSCRIBERS = "SELECT name, groups_from, groups_to, name_in_scopes FROM subscriber";

    private static final String ADD_ENTRY = """
            INSERT INTO entry (id, grp, key, version, created_at, updated_at, expires_at, due_at, value, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """;

    private static final String HAS_ENTRY = "SELECT 1 FROM entry WHERE id = ? OR grp = ? AND key = ?";

    private static final String HAS_RETAINED =
            "SELECT 1 FROM retained WHERE (expires_at, grp, key, version) = (?, ?, ?, ?)";

    private static final String HAS_DELIVERY = "SELECT 1 FROM delivery WHERE id = ?";

    private static final Salvage.Table ENTRIES = new Salvage.Table(
            "entry",
            List.of("id"),
            "id, grp, key, version, created_at, updated_at, expires_at, due_at, value, " + RowChecksum.COLUMN,
            "entry_name",
            List.of("grp", "key"));

    /** The value is read before what is behind it: SQLite would look for that with the help of other pages, which may be damaged. */
    private static final Salvage.Table RETAINED = new Salvage.Table(
            "retained",
            List.of("expires_at", "grp", "key", "version"),
            "expires_at, grp, key, version, value, " + RowChecksum.COLUMN + ", created_at, updated_at",
            "retained_group",
            List.of("grp", "key"));

    private static final Salvage.Table DELIVERIES = new Salvage.Table(
            "delivery",
            List.of("id"),
            "id, grp, key, version, expires_at, subscriber, attempts, next_at, error, value, " + RowChecksum.COLUMN,
            "delivery_due",
            List.of());

    private static final String OTHER = "SELECT " + ENTRIES.columns() + " FROM entry WHERE grp = ? AND key = ?";

    private static final String REMOVE_ENTRY = "DELETE FROM entry WHERE grp = ? AND key = ?";

    private static final String ADD_RETAINED = """
            INSERT INTO retained (expires_at, grp, key, version, value, checksum, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """;

    private static final String ADD_SUBSCRIBER = """
            INSERT INTO subscriber (name, groups_from, groups_to, name_in_scopes) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    private static final String ADD_DELIVERY = """
            INSERT INTO delivery (id, subscriber, grp, key, version, expires_at, attempts, next_at, error, value, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """;

    /** Parks all but the first one with a time. */
    private static final String PARK = """
            UPDATE delivery SET next_at = %d
             WHERE next_at < %1$d
               AND EXISTS (SELECT 1 FROM delivery AS earlier
                            WHERE earlier.subscriber = delivery.subscriber AND earlier.grp = delivery.grp
                              AND earlier.key = delivery.key AND earlier.next_at < %1$d AND earlier.id < delivery.id)
            """.formatted(PARKED);

    /** Gives the first one of a line a time if none has one. */
    private static final String UNPARK = """
            UPDATE delivery SET next_at = expires_at
             WHERE next_at = %d
               AND NOT EXISTS (SELECT 1 FROM delivery AS other
                                WHERE other.subscriber = delivery.subscriber AND other.grp = delivery.grp
                                  AND other.key = delivery.key AND other.next_at IS NOT NULL
                                  AND (other.next_at < %1$d OR other.id < delivery.id))
            """.formatted(PARKED);

    /** A version beyond this one cannot have been used, and would leave no numbers. */
    static final long LAST_VERSION = 1L << 62;

    private final SqliteSession session;
    private final SideFile side;
    private final Set<String> subscribers = new HashSet<>();
    private final Set<Place> moved = new HashSet<>();
    private long kept;
    private long lastVersion;
    private long lastUpdate;
    private @Nullable StoreState mark;

    Rebuilt(SqliteSession session, SideFile side) {
        this.session = session;
        this.side = side;
    }

    long kept() {
        return kept;
    }

    /** Tests whether it is known how far the store had come. */
    boolean hasMark() {
        return mark != null;
    }

    /**
     * A table to fill.
     *
     * @param table the table in the damaged file
     * @param taker takes its rows
     * @param found whether a row that an index has was taken, or moved to the side file
     */
    record Part(Salvage.Table table, Salvage.Taker taker, Predicate<Salvage.Missing> found) {}

    Part entries() {
        return new Part(
                ENTRIES, this::entry, row -> moved(ENTRIES, row) || has(HAS_ENTRY, row, row.group(), row.name()));
    }

    Part retained() {
        return new Part(RETAINED, this::retained, row -> moved(RETAINED, row) || has(HAS_RETAINED, row));
    }

    /** The deliveries, which come after all subscribers. */
    Part deliveries() {
        return new Part(DELIVERIES, this::delivery, row -> moved(DELIVERIES, row) || has(HAS_DELIVERY, row));
    }

    private boolean has(String sql, Salvage.Missing row, @Nullable Object... more) {
        return session.call(() -> {
            Bound query = session.bind(sql);
            for (Object value : row.key()) {
                query.any(value);
            }
            for (Object value : more) {
                query.any(value);
            }
            return query.until(found -> true);
        });
    }

    private boolean moved(Salvage.Table table, Salvage.Missing row) {
        return moved.contains(new Place(table.name(), row.key()));
    }

    /** Where a row was. */
    private record Place(String table, List<@Nullable Object> key) {}

    /** Moves a row to the side file, unless it was read before. */
    private void move(Salvage.Table table, ResultSet row, SideFile.Line line) throws SQLException {
        if (moved.add(new Place(table.name(), table.keyOf(row)))) {
            side.write(line);
        }
    }

    /** Names of a row, as texts and as they are. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Named(
            byte[] groupBytes,
            byte[] keyBytes,
            @Nullable String group,
            @Nullable String key) {

        static Named of(ResultSet row) throws SQLException {
            byte[] group = EntryColumns.bytes(row, 2);
            byte[] key = EntryColumns.bytes(row, 3);
            return new Named(group, key, RowRules.decode(group), RowRules.decode(key));
        }

        @Nullable
        String problem() {
            String problem = RowRules.problemOfName("group", group);
            return problem == null ? RowRules.problemOfName("key", key) : problem;
        }

        /** The name of a row without a problem. */
        RowKey rowKey() {
            return new RowKey(requireNonNull(group), requireNonNull(key));
        }

        SideFile.Line line(String kind, String reason) {
            return new SideFile.Line()
                    .text("kind", kind)
                    .text("reason", reason)
                    .text("group", group)
                    .bytes("groupBytes", group == null ? groupBytes : null)
                    .text("key", key)
                    .bytes("keyBytes", key == null ? keyBytes : null);
        }
    }

    /**
     * Says what is wrong with a row.
     *
     * @param column where its value is, with the checksum behind
     */
    private static @Nullable String problem(Named name, long version, ResultSet row, int column) throws SQLException {
        String problem = name.problem();
        if (problem != null) {
            return problem;
        }
        if (version < 1 || version > LAST_VERSION) {
            return "The version cannot be one of the store";
        }
        return EntryColumns.isDamaged(name.rowKey(), version, row.getBytes(column), row, column)
                ? "The value does not match its checksum"
                : null;
    }

    private boolean entry(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 9);
        if (problem != null) {
            moveEntry(row, problem);
            return false;
        }
        if (addEntry(row, name)) {
            kept++;
            used(version, row.getLong(6));
            return true;
        }
        String group = String.valueOf(name.group());
        String key = String.valueOf(name.key());
        long present = session.bind(OTHER).text(group).text(key).one(other -> {
            long found = other.getLong(4);
            if (found < version) {
                moveEntry(other, "There is a later version of the entry");
            }
            return found;
        });
        if (present < version) {
            session.bind(REMOVE_ENTRY).text(group).text(key).update();
            boolean unused = addEntry(row, name);
            used(version, row.getLong(6));
        } else if (present > version) {
            moveEntry(row, "There is a later version of the entry");
        } // otherwise it was read twice
        return true;
    }

    /** Adds an entry with the number that it had, or with another one if damage has given two the same. */
    private boolean addEntry(ResultSet row, Named name) throws SQLException {
        if (addEntry(row, name, row.getLong(1))) {
            return true;
        }
        boolean isThere =
                session.bind(OTHER).text(name.group()).text(name.key()).until(other -> true);
        return !isThere && addEntry(row, name, null);
    }

    private boolean addEntry(ResultSet row, Named name, @Nullable Long id) throws SQLException {
        Long expiresAt = number(row, 7);
        Long dueAt = number(row, 8);
        byte[] value = EntryColumns.bytes(row, 9);
        if (RowRules.problemOfExpiry(expiresAt, dueAt, Layouts.MAX_LAG_MILLIS) != null) {
            dueAt = expiresAt;
        }
        return session.bind(ADD_ENTRY)
                        .any(id)
                        .text(name.group())
                        .text(name.key())
                        .number(row.getLong(4))
                        .number(row.getLong(5))
                        .number(Math.max(row.getLong(5), row.getLong(6)))
                        .time(expiresAt == null ? Row.NEVER : expiresAt)
                        .time(dueAt == null ? Row.NEVER : dueAt)
                        .bytes(value)
                        .number(RowChecksum.of(name.rowKey(), row.getLong(4), value))
                        .update()
                > 0;
    }

    private void moveEntry(ResultSet row, String reason) throws SQLException {
        move(
                ENTRIES,
                row,
                Named.of(row)
                        .line("entry", reason)
                        .number("version", row.getLong(4))
                        .number("createdAt", row.getLong(5))
                        .number("updatedAt", row.getLong(6))
                        .number("expiresAt", number(row, 7))
                        .bytes("value", EntryColumns.bytes(row, 9)));
    }

    private boolean retained(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 5);
        if (problem != null) {
            move(
                    RETAINED,
                    row,
                    name.line("retained", problem)
                            .number("version", version)
                            .number("createdAt", row.getLong(7))
                            .number("updatedAt", row.getLong(8))
                            .number("expiresAt", row.getLong(1))
                            .bytes("value", EntryColumns.bytes(row, 5)));
            return false;
        }
        byte[] value = EntryColumns.bytes(row, 5);
        kept += session.bind(ADD_RETAINED)
                .number(row.getLong(1))
                .text(name.group())
                .text(name.key())
                .number(version)
                .bytes(value)
                .number(RowChecksum.of(name.rowKey(), version, value))
                .number(row.getLong(7))
                .number(Math.max(row.getLong(7), row.getLong(8)))
                .update();
        used(version, row.getLong(8));
        return true;
    }

    /** Takes a subscriber. */
    void subscriber(ResultSet row) throws SQLException {
        String name = RowRules.decode(EntryColumns.bytes(row, 1));
        String from = RowRules.decode(EntryColumns.bytes(row, 2));
        String to = RowRules.decode(EntryColumns.bytes(row, 3));
        if (RowRules.problemOfName("subscriber", name) != null
                || from == null
                || to == null
                || EntryColumns.problemOfGroupOrNull(row, 4) != null) {
            side.write(new SideFile.Line()
                    .text("kind", "subscriber")
                    .text("reason", "Its names are not valid")
                    .text("subscriber", name)
                    .bytes("subscriberBytes", EntryColumns.bytes(row, 1)));
            return;
        }
        kept += session.bind(ADD_SUBSCRIBER)
                .text(name)
                .text(from)
                .text(row.getBytes(3) == null ? null : to)
                .text(EntryColumns.textOrNull(row, 4))
                .update();
        subscribers.add(String.valueOf(name));
    }

    private boolean delivery(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String subscriber = RowRules.decode(EntryColumns.bytes(row, 6));
        String problem = subscriber == null || !subscribers.contains(subscriber)
                ? "Its subscriber does not exist"
                : row.getLong(1) > LAST_VERSION
                        ? "The number of the delivery cannot be one of the store"
                        : problem(name, version, row, 10);
        if (problem != null) {
            move(
                    DELIVERIES,
                    row,
                    name.line("delivery", problem)
                            .text("subscriber", subscriber)
                            .number("version", version)
                            .number("expiresAt", row.getLong(5))
                            .number("attempts", row.getLong(7))
                            .text("error", RowRules.decode(EntryColumns.bytes(row, 9)))
                            .bytes("value", EntryColumns.bytes(row, 10)));
            return false;
        }
        Long nextAt = number(row, 8);
        byte[] value = EntryColumns.bytes(row, 10);
        Bound insert = session.bind(ADD_DELIVERY)
                .number(row.getLong(1))
                .text(subscriber)
                .text(name.group())
                .text(name.key())
                .number(version)
                .number(row.getLong(5))
                .number(row.getLong(7));
        kept += (nextAt != null && nextAt == PARKED
                        ? insert.number(PARKED)
                        : insert.time(nextAt == null ? Row.NEVER : nextAt))
                .text(EntryColumns.textOrNull(row, 9))
                .bytes(value)
                .number(RowChecksum.of(name.rowKey(), version, value))
                .update();
        used(version, 0);
        return true;
    }

    /** Takes over how far the store had come, with the columns of {@link SequenceRow#READ}, before all rows. */
    void mark(ResultSet row) throws SQLException {
        StoreState sound = SequenceRow.sound(row);
        mark = sound == null ? mark : sound;
    }

    private void used(long version, long updatedAt) {
        lastVersion = Math.max(lastVersion, version);
        lastUpdate = Math.max(lastUpdate, updatedAt);
    }

    /** Puts the deliveries in line, and continues the sequence after all versions. */
    void finish() throws SQLException {
        session.bind(PARK).update();
        session.bind(UNPARK).update();
        StoreState known = mark == null ? new StoreState(0, lastUpdate) : mark;
        SequenceRow.save(session, new StoreState(Math.max(known.sequence(), lastVersion), known.time()));
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : (Long) number;
    }
}
