package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

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
            INSERT INTO entry (grp, key, version, created_at, updated_at, expires_at, due_at, value, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (grp, key) DO NOTHING
            """;

    private static final String HAS_ENTRY = "SELECT 1 FROM entry WHERE grp = ? AND key = ?";

    private static final String OTHER = "SELECT %s FROM entry WHERE grp = ? AND key = ?";

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
    private static final long LAST_VERSION = 1L << 62;

    private final SqliteSession session;
    private final SideFile side;
    private final Set<String> subscribers = new HashSet<>();
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

    Salvage.Table entries() {
        return new Salvage.Table(
                "id, grp, key, version, created_at, updated_at, expires_at, due_at, value, " + Checksum.COLUMN,
                "entry",
                "id",
                1);
    }

    Salvage.Table retained() {
        return new Salvage.Table(
                "expires_at, grp, key, version, created_at, updated_at, value, " + Checksum.COLUMN,
                "retained",
                "expires_at",
                Long.MIN_VALUE + 1);
    }

    Salvage.Table deliveries() {
        return new Salvage.Table(
                "id, grp, key, version, expires_at, subscriber, attempts, next_at, error, value, " + Checksum.COLUMN,
                "delivery",
                "id",
                1);
    }

    /** Names of a row, as texts and as they are. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Named(
            byte[] groupBytes,
            byte[] keyBytes,
            @Nullable String group,
            @Nullable String key) {

        static Named of(ResultSet row) throws SQLException {
            byte[] group = Columns.bytes(row, 2);
            byte[] key = Columns.bytes(row, 3);
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
        return Columns.isDamaged(name.rowKey(), version, row.getBytes(column), row, column)
                ? "The value does not match its checksum"
                : null;
    }

    /** Takes an entry, with the columns of {@link #entries}. */
    void entry(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 9);
        if (problem != null) {
            moveEntry(row, problem);
            return;
        }
        if (addEntry(row, name)) {
            kept++;
            used(version, row.getLong(6));
            return;
        }
        String group = String.valueOf(name.group());
        String key = String.valueOf(name.key());
        long present = session.bind(OTHER.formatted(entries().columns()))
                .text(group)
                .text(key)
                .one(other -> {
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
    }

    private boolean addEntry(ResultSet row, Named name) throws SQLException {
        Long expiresAt = number(row, 7);
        Long dueAt = number(row, 8);
        byte[] value = Columns.bytes(row, 9);
        if (RowRules.problemOfExpiry(expiresAt, dueAt, Layouts.MAX_LAG_MILLIS) != null) {
            dueAt = expiresAt;
        }
        return session.bind(ADD_ENTRY)
                        .text(name.group())
                        .text(name.key())
                        .number(row.getLong(4))
                        .number(row.getLong(5))
                        .number(Math.max(row.getLong(5), row.getLong(6)))
                        .time(expiresAt == null ? Row.NEVER : expiresAt)
                        .time(dueAt == null ? Row.NEVER : dueAt)
                        .bytes(value)
                        .number(Checksum.of(name.rowKey(), row.getLong(4), value))
                        .update()
                > 0;
    }

    private void moveEntry(ResultSet row, String reason) throws SQLException {
        side.write(Named.of(row)
                .line("entry", reason)
                .number("version", row.getLong(4))
                .number("createdAt", row.getLong(5))
                .number("updatedAt", row.getLong(6))
                .number("expiresAt", number(row, 7))
                .bytes("value", Columns.bytes(row, 9)));
    }

    /** Tests whether an entry was taken. */
    boolean hasEntry(String group, String key) {
        return session.call(() ->
                session.bind(HAS_ENTRY).text(group).text(key).list(row -> true).size() == 1);
    }

    /** Takes a retained entry, with the columns of {@link #retained}. */
    void retained(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String problem = problem(name, version, row, 7);
        if (problem != null) {
            side.write(name.line("retained", problem)
                    .number("version", version)
                    .number("createdAt", row.getLong(5))
                    .number("updatedAt", row.getLong(6))
                    .number("expiresAt", row.getLong(1))
                    .bytes("value", Columns.bytes(row, 7)));
            return;
        }
        byte[] value = Columns.bytes(row, 7);
        kept += session.bind(ADD_RETAINED)
                .number(row.getLong(1))
                .text(name.group())
                .text(name.key())
                .number(version)
                .bytes(value)
                .number(Checksum.of(name.rowKey(), version, value))
                .number(row.getLong(5))
                .number(Math.max(row.getLong(5), row.getLong(6)))
                .update();
        used(version, row.getLong(6));
    }

    /** Takes a subscriber. */
    void subscriber(ResultSet row) throws SQLException {
        String name = RowRules.decode(Columns.bytes(row, 1));
        String from = RowRules.decode(Columns.bytes(row, 2));
        String to = RowRules.decode(Columns.bytes(row, 3));
        String nameInScopes = RowRules.decode(Columns.bytes(row, 4));
        if (RowRules.problemOfName("subscriber", name) != null || from == null || to == null || nameInScopes == null) {
            side.write(new SideFile.Line()
                    .text("kind", "subscriber")
                    .text("reason", "Its names are not valid")
                    .text("subscriber", name)
                    .bytes("subscriberBytes", Columns.bytes(row, 1)));
            return;
        }
        kept += session.bind(ADD_SUBSCRIBER)
                .text(name)
                .text(from)
                .text(row.getBytes(3) == null ? null : to)
                .text(row.getBytes(4) == null ? null : nameInScopes)
                .update();
        subscribers.add(String.valueOf(name));
    }

    /** Takes a delivery, with the columns of {@link #deliveries}, after all subscribers. */
    void delivery(ResultSet row) throws SQLException {
        Named name = Named.of(row);
        long version = row.getLong(4);
        String subscriber = RowRules.decode(Columns.bytes(row, 6));
        String problem = subscriber != null && subscribers.contains(subscriber)
                ? problem(name, version, row, 10)
                : "Its subscriber does not exist";
        if (problem != null) {
            side.write(name.line("delivery", problem)
                    .text("subscriber", subscriber)
                    .number("version", version)
                    .number("expiresAt", row.getLong(5))
                    .number("attempts", row.getLong(7))
                    .text("error", RowRules.decode(Columns.bytes(row, 9)))
                    .bytes("value", Columns.bytes(row, 10)));
            return;
        }
        Long nextAt = number(row, 8);
        byte[] value = Columns.bytes(row, 10);
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
                .text(Columns.textOrNull(row, 9))
                .bytes(value)
                .number(Checksum.of(name.rowKey(), version, value))
                .update();
        used(version, 0);
    }

    /** Takes over how far the store had come, with the columns of {@link Mark#READ}, before all rows. */
    void mark(ResultSet row) throws SQLException {
        mark = Mark.sound(row);
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
        Mark.save(session, new StoreState(Math.max(known.sequence(), lastVersion), known.time()));
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : (Long) number;
    }
}
