package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.RecordCheck;
import dev.ttlstore.engine.support.RecordCheck.Name;

/** The new file of a repair. Takes the rows that are valid, corrects what can be corrected, and moves the others to the side file. */
final class RebuiltFile {

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

    /** A version beyond this one cannot have been used, and would leave no numbers. */
    static final long LAST_VERSION = 1L << 62;

    private final SqliteSession session;
    private final SideFile side;
    private final Set<String> subscribers = new HashSet<>();
    private final Set<Place> moved = new HashSet<>();
    private long kept;
    private long lastVersion;
    private long lastUpdate;
    private @Nullable HighWater mark;

    RebuiltFile(SqliteSession session, SideFile side) {
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

    Salvage.Part entries() {
        return new Salvage.Part(ENTRIES, this::entry, row -> isFound(ENTRIES, row, HAS_ENTRY, row.group(), row.name()));
    }

    Salvage.Part retained() {
        return new Salvage.Part(RETAINED, this::retained, row -> isFound(RETAINED, row, HAS_RETAINED));
    }

    /** The deliveries, which come after all subscribers. */
    Salvage.Part deliveries() {
        return new Salvage.Part(DELIVERIES, this::delivery, row -> isFound(DELIVERIES, row, HAS_DELIVERY));
    }

    /** Tests whether a row that an index has was moved, or is in the new file. */
    private boolean isFound(Salvage.Table table, Salvage.Missing row, String has, @Nullable Object... more) {
        return moved.contains(new Place(table.name(), row.key()))
                || session.bind(has).all(row.key()).all(Arrays.asList(more)).until(found -> true);
    }

    /** Where a row was. */
    private record Place(String table, List<@Nullable Object> key) {}

    /** Moves a row to the side file, unless it was read before. */
    private void move(Salvage.Table table, ResultSet row, SideFile.Line line) throws SQLException {
        if (moved.add(new Place(table.name(), table.keyOf(row)))) {
            side.write(line);
        }
    }

    /**
     * Says what is wrong with a row.
     *
     * @param column where its value is, with the checksum behind
     */
    private static @Nullable String problem(Name name, long version, ResultSet row, int column) throws SQLException {
        String problem = name.problem();
        if (problem != null) {
            return problem;
        }
        if (version < 1 || version > LAST_VERSION) {
            return "The version cannot be one of the store";
        }
        return new RowChecksum().differs(name.rowKey(), version, row.getBytes(column), row, column)
                ? "The value does not match its checksum"
                : null;
    }

    private static SideFile.Line line(String kind, String reason, ResultSet row) throws SQLException {
        return SideFile.Line.of(kind, reason, EntryColumns.bytes(row, 2), EntryColumns.bytes(row, 3));
    }

    private boolean entry(ResultSet row) throws SQLException {
        Name name = EntryColumns.name(row, 2);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 9);
        if (problem != null) {
            moveEntry(row, problem);
            return false;
        }
        RowKey key = name.rowKey();
        if (addEntry(row, key)) {
            kept++;
            used(version, row.getLong(6));
            return true;
        }
        long present = session.bind(OTHER).name(key).one(other -> {
            long found = other.getLong(4);
            if (found < version) {
                moveEntry(other, "There is a later version of the entry");
            }
            return found;
        });
        if (present < version) {
            session.bind(REMOVE_ENTRY).name(key).update();
            boolean unused = addEntry(row, key);
            used(version, row.getLong(6));
        } else if (present > version) {
            moveEntry(row, "There is a later version of the entry");
        } // otherwise it was read twice
        return true;
    }

    /** Adds an entry with the number that it had, or with another one if damage has given two the same. */
    private boolean addEntry(ResultSet row, RowKey key) throws SQLException {
        if (addEntry(row, key, row.getLong(1))) {
            return true;
        }
        boolean isThere = session.bind(OTHER).name(key).until(other -> true);
        return !isThere && addEntry(row, key, null);
    }

    private boolean addEntry(ResultSet row, RowKey key, @Nullable Long id) throws SQLException {
        Long expiresAt = EntryColumns.numberOrNull(row, 7);
        Long dueAt = EntryColumns.numberOrNull(row, 8);
        byte[] value = EntryColumns.bytes(row, 9);
        if (RecordCheck.problemOfExpiry(expiresAt, dueAt, Layouts.MAX_LAG_MILLIS) != null) {
            dueAt = expiresAt;
        }
        return session.bind(ADD_ENTRY)
                        .any(id)
                        .name(key)
                        .number(row.getLong(4))
                        .number(row.getLong(5))
                        .number(Math.max(row.getLong(5), row.getLong(6)))
                        .time(expiresAt == null ? Row.NEVER : expiresAt)
                        .time(dueAt == null ? Row.NEVER : dueAt)
                        .value(key, row.getLong(4), value)
                        .update()
                > 0;
    }

    private void moveEntry(ResultSet row, String reason) throws SQLException {
        move(
                ENTRIES,
                row,
                line("entry", reason, row)
                        .number("version", row.getLong(4))
                        .number("createdAt", row.getLong(5))
                        .number("updatedAt", row.getLong(6))
                        .number("expiresAt", EntryColumns.numberOrNull(row, 7))
                        .bytes("value", EntryColumns.bytes(row, 9)));
    }

    private boolean retained(ResultSet row) throws SQLException {
        Name name = EntryColumns.name(row, 2);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 5);
        if (problem != null) {
            move(
                    RETAINED,
                    row,
                    line("retained", problem, row)
                            .number("version", version)
                            .number("createdAt", row.getLong(7))
                            .number("updatedAt", row.getLong(8))
                            .number("expiresAt", row.getLong(1))
                            .bytes("value", EntryColumns.bytes(row, 5)));
            return false;
        }
        kept += session.bind(ADD_RETAINED)
                .number(row.getLong(1))
                .name(name.rowKey())
                .number(version)
                .value(name.rowKey(), version, EntryColumns.bytes(row, 5))
                .number(row.getLong(7))
                .number(Math.max(row.getLong(7), row.getLong(8)))
                .update();
        used(version, row.getLong(8));
        return true;
    }

    /** Takes a subscriber. */
    void subscriber(ResultSet row) throws SQLException {
        String name = EntryColumns.decoded(row, 1);
        String from = EntryColumns.decoded(row, 2);
        String to = EntryColumns.decoded(row, 3);
        if (RecordCheck.problemOfName("subscriber", name) != null
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
        Name name = EntryColumns.name(row, 2);
        long version = row.getLong(4);
        String subscriber = EntryColumns.decoded(row, 6);
        String problem = subscriber == null || !subscribers.contains(subscriber)
                ? "Its subscriber does not exist"
                : row.getLong(1) > LAST_VERSION
                        ? "The number of the delivery cannot be one of the store"
                        : problem(name, version, row, 10);
        if (problem != null) {
            move(
                    DELIVERIES,
                    row,
                    line("delivery", problem, row)
                            .text("subscriber", subscriber)
                            .number("version", version)
                            .number("expiresAt", row.getLong(5))
                            .number("attempts", row.getLong(7))
                            .text("error", EntryColumns.decoded(row, 9))
                            .bytes("value", EntryColumns.bytes(row, 10)));
            return false;
        }
        kept += session.bind(ADD_DELIVERY)
                .number(row.getLong(1))
                .text(subscriber)
                .name(name.rowKey())
                .number(version)
                .number(row.getLong(5))
                .number(row.getLong(7))
                .any(EntryColumns.numberOrNull(row, 8))
                .text(EntryColumns.textOrNull(row, 9))
                .value(name.rowKey(), version, EntryColumns.bytes(row, 10))
                .update();
        used(version, 0);
        return true;
    }

    /** Takes over how far the store had come, with the columns of {@link SequenceRow#READ}, before all rows. */
    void mark(ResultSet row) throws SQLException {
        HighWater sound = SequenceRow.sound(row);
        mark = sound == null ? mark : sound;
    }

    private void used(long version, long updatedAt) {
        lastVersion = Math.max(lastVersion, version);
        lastUpdate = Math.max(lastUpdate, updatedAt);
    }

    /** Puts the deliveries in line, and continues the sequence after all versions. */
    void finish() {
        SqliteDeliveryTable.putInLine(session);
        HighWater known = mark == null ? new HighWater(0, lastUpdate) : mark;
        SequenceRow.save(session, new HighWater(Math.max(known.sequence(), lastVersion), known.time()));
    }
}
