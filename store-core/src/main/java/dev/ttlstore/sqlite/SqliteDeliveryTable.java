package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryTable;

import static dev.ttlstore.sqlite.Layouts.PARKED;

/**
 * The statements that change subscribers and their deliveries, in one session. A waiting delivery has the time of its
 * next attempt, or {@link Layouts#PARKED}. A dead letter has null.
 *
 * @param session the session
 */
record SqliteDeliveryTable(SqliteSession session) implements DeliveryTable {

    private static final String ADD = """
            INSERT INTO subscriber (name, groups_from, groups_to, name_in_scopes) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE
               SET groups_from = excluded.groups_from, groups_to = excluded.groups_to,
                   name_in_scopes = excluded.name_in_scopes
            """;

    private static final String REMOVE_SUBSCRIBER = "DELETE FROM subscriber WHERE name = ?";

    static final String LAST_ID = "SELECT ifnull(max(id), 0) FROM delivery";

    private static final String INSERT = """
            INSERT INTO delivery (subscriber, grp, key, value, checksum, version, expires_at, attempts, next_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?7)
            """;

    static final String BEHIND = """
            SELECT id
              FROM delivery
             WHERE id > ?
               AND EXISTS (SELECT 1 FROM delivery AS earlier
                            WHERE earlier.subscriber = delivery.subscriber AND earlier.grp = delivery.grp
                              AND earlier.key = delivery.key AND earlier.next_at IS NOT NULL
                              AND earlier.id < delivery.id)
            """;

    private static final String SCHEDULE = "UPDATE delivery SET next_at = ? WHERE id = ? AND next_at IS NOT NULL";

    static final String FIRST = """
            SELECT id, expires_at
              FROM delivery
             WHERE subscriber = ? AND grp = ? AND key = ? AND next_at IS NOT NULL
             ORDER BY id
             LIMIT 1
            """;

    private static final String REMOVE =
            "DELETE FROM delivery WHERE id = ? AND next_at < " + PARKED + " RETURNING subscriber, grp, key";

    private static final String UPDATE = """
            UPDATE delivery SET attempts = ?, next_at = ?, error = ?
             WHERE id = ? AND next_at < %d
            RETURNING subscriber, grp, key
            """.formatted(PARKED);

    static final String HASTEN = """
            UPDATE delivery SET next_at = ?2 WHERE subscriber = ?1 AND next_at > ?2 AND next_at < %d
            """.formatted(PARKED);

    static final String ALL_DEAD =
            "SELECT subscriber, grp, key, id FROM delivery WHERE subscriber = ? AND next_at IS NULL";

    private static final String ONE_DEAD =
            "SELECT subscriber, grp, key, id FROM delivery WHERE subscriber = ? AND next_at IS NULL AND id = ?";

    private static final String REVIVE =
            "UPDATE delivery SET attempts = 0, next_at = " + PARKED + " WHERE id = ? AND next_at IS NULL";

    private static final String REMOVE_DEAD =
            "DELETE FROM delivery WHERE subscriber = ?1 AND next_at IS NULL AND (?2 = 0 OR id = ?2)";

    static final String REMOVE_OLDEST = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM delivery
                           WHERE subscriber = ? AND next_at IS NOT NULL
                           ORDER BY expires_at, id
                           LIMIT ?)
            RETURNING subscriber, grp, key, next_at
            """;

    /** Parked deliveries come first, because their time is the last one. */
    static final String REMOVE_ANY = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM delivery WHERE subscriber = ? ORDER BY next_at DESC LIMIT ?)
            """;

    private static final String OF_GROUPS =
            "SELECT id, next_at FROM delivery WHERE subscriber = ?1 AND grp >= ?2 AND grp < ?3 AND next_at IS ";

    /** Uses the index of lines, because other groups may have many deliveries. */
    static final String REMOVE_IN = """
            DELETE FROM delivery
             WHERE id IN (SELECT id FROM (%sNOT NULL UNION ALL %sNULL) ORDER BY next_at DESC LIMIT ?4)
            """.formatted(OF_GROUPS, OF_GROUPS);

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

    /** Gives the first waiting delivery of each line a time, and no other, whatever they had before. */
    static void putInLine(SqliteSession session) {
        session.bind(PARK).update();
        session.bind(UNPARK).update();
    }

    @Override
    public void add(Subscriber subscriber) {
        GroupRange groups = subscriber.groups();
        session.bind(ADD)
                .text(subscriber.name())
                .text(groups.from())
                .text(groups.to())
                .text(subscriber.nameInScopes())
                .update();
    }

    @Override
    public void removeSubscriber(String subscriber) {
        session.bind(REMOVE_SUBSCRIBER).text(subscriber).update();
    }

    /** Returns the last id that was given, which separates the deliveries so far from later ones. */
    long mark() {
        return session.bind(LAST_ID).one(row -> row.getLong(1));
    }

    @Override
    public long insert(String subscriber, Collection<Row> rows) {
        long mark = mark();
        for (Row row : rows) {
            session.bind(INSERT)
                    .text(subscriber)
                    .name(row.key())
                    .bytes(row.storedValue())
                    .number(RowChecksum.of(row))
                    .number(row.version())
                    .number(row.expiresAt())
                    .update();
        }
        return mark;
    }

    @Override
    public List<Long> behind(long mark) {
        return session.bind(BEHIND).number(mark).list(row -> row.getLong(1));
    }

    @Override
    public void schedule(Map<Long, Long> times) {
        for (Map.Entry<Long, Long> time : times.entrySet()) {
            session.bind(SCHEDULE).number(time.getValue()).number(time.getKey()).update();
        }
    }

    @Override
    public List<Waiting> first(Set<Line> lines) {
        List<Waiting> found = new ArrayList<>();
        for (Line line : lines) {
            found.addAll(session.bind(FIRST)
                    .text(line.subscriber())
                    .name(line.key())
                    .list(row -> new Waiting(line, row.getLong(1), row.getLong(2))));
        }
        return found;
    }

    @Override
    public Set<Line> remove(Collection<Long> ids) {
        Set<Line> removed = new HashSet<>();
        for (long id : ids) {
            removed.addAll(session.bind(REMOVE).number(id).list(SqliteDeliveryTable::line));
        }
        return removed;
    }

    @Override
    public Map<Long, Line> update(Collection<DeliveryUpdate> updates) {
        Map<Long, Line> changed = new HashMap<>();
        for (DeliveryUpdate update : updates) {
            Line line = session.bind(UPDATE)
                    .number(update.attempts())
                    .time(update.nextAt())
                    .text(update.error())
                    .number(update.id())
                    .first(SqliteDeliveryTable::line);
            if (line != null) {
                changed.put(update.id(), line);
            }
        }
        return changed;
    }

    @Override
    public int hasten(String subscriber, long latest) {
        return session.bind(HASTEN).text(subscriber).number(latest).update();
    }

    @Override
    public Map<Long, Line> dead(String subscriber, long id) {
        Map<Long, Line> dead = new HashMap<>();
        SqliteStatement query = id == DeliveryCommand.ALL
                ? session.bind(ALL_DEAD).text(subscriber)
                : session.bind(ONE_DEAD).text(subscriber).number(id);
        query.list(row -> dead.put(row.getLong(4), line(row)));
        return dead;
    }

    @Override
    public void revive(Collection<Long> ids) {
        for (long id : ids) {
            session.bind(REVIVE).number(id).update();
        }
    }

    @Override
    public int removeDead(String subscriber, long id) {
        return session.bind(REMOVE_DEAD).text(subscriber).number(id).update();
    }

    @Override
    public long countWaiting(String subscriber) {
        return session.bind(SqliteDeliveries.COUNT_PENDING).text(subscriber).one(row -> row.getLong(1));
    }

    @Override
    public List<Removed> removeOldest(String subscriber, int limit) {
        return session.bind(REMOVE_OLDEST)
                .text(subscriber)
                .number(limit)
                .list(row -> new Removed(line(row), row.getLong(4) != PARKED));
    }

    @Override
    public int remove(String subscriber, GroupRange groups, int limit) {
        boolean all = groups.equals(GroupRange.ALL);
        SqliteStatement some = session.bind(all ? REMOVE_ANY : REMOVE_IN).text(subscriber);
        return (all ? some : some.range(groups)).number(limit).update();
    }

    /** Reads the columns subscriber, grp and key. */
    private static Line line(ResultSet row) throws SQLException {
        return new Line(EntryColumns.text(row, 1), EntryColumns.key(row, 2));
    }
}
