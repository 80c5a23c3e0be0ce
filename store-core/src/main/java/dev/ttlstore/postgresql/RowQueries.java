package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.postgresql.RowColumns.Columns;

import static dev.ttlstore.postgresql.RowColumns.Type.TEXT;

/**
 * The queries for rows, by a time that the caller passes. Within a transaction, each of {@link Reads} is announced before, to lock the slots
 * of its groups or to remember them.
 *
 * @param runner runs them
 * @param slots the slots
 * @param announced gets the groups of each of {@link Reads} before it
 */
record RowQueries(QueryRunner runner, Slots slots, Consumer<GroupRange> announced) implements Reads {

    private static final String ROW_COLUMNS_BUT_VALUE = "e.version, e.created_at, e.updated_at, " + RowColumns.EXPIRY;

    static final String ROW_COLUMNS = ROW_COLUMNS_BUT_VALUE + ", e.value";

    static final String READ =
            "SELECT " + ROW_COLUMNS + " FROM @entry e WHERE e.slot = ? AND e.grp = ?::text AND e.key = ?::text";

    private static final String OF_NAMES = """
              FROM unnest(?::int[], ?::text[], ?::text[]) k (slot, grp, key)
              JOIN @entry e ON e.slot = k.slot AND e.grp = k.grp COLLATE "C" AND e.key = k.key COLLATE "C"{each e}
            """;

    static final String READ_ALL = "SELECT " + ROW_COLUMNS + ", e.grp, e.key\n" + OF_NAMES;

    /** Larger values are read once it is known how much memory they take together. Of so many as share a commit, the others take 8 MiB. */
    private static final int SMALL_VALUE = 8 * 1024;

    static final String READ_SMALL = "SELECT " + ROW_COLUMNS_BUT_VALUE + ", CASE WHEN octet_length(e.value) <= "
            + SMALL_VALUE + " THEN e.value END, e.grp, e.key, octet_length(e.value)\n" + OF_NAMES;

    private static final String COUNT = """
            SELECT count(*)
              FROM @entry e
             WHERE e.slot = ? AND e.grp = ?::text AND e.key >= ?::text AND (?::text IS NULL OR e.key < ?::text) AND %s
            """.formatted(PageQuery.AT_TIME);

    private static final String COUNT_RANGE = """
            SELECT count(*)
              FROM @entry e
             WHERE e.slot = ANY (?) AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text) AND %s
            """.formatted(PageQuery.AT_TIME);

    private static final String TOTALS = """
            SELECT (SELECT count(*) FROM @entry),
                   (SELECT count(*) FROM @entry WHERE due_at <= ? AND expires_at <= ?),
                   (SELECT count(*) FROM @retained)
            """;

    private static final String USAGE = """
            SELECT e.grp, count(*), sum(octet_length(e.key) + octet_length(e.value))
              FROM @entry e
             WHERE e.slot = ANY (?) AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
             GROUP BY e.grp
            """;

    private static final String RETAINED = """
            SELECT f.*
              FROM {slots}
             CROSS JOIN LATERAL (
                   SELECT e.version, e.created_at, e.updated_at, e.expires_at, e.value, e.grp, e.key
                     FROM @retained e
                    WHERE e.slot = s.slot AND (e.expires_at, e.grp, e.key, e.version) > (?, ?::text, ?::text, ?)
                      AND e.expires_at < ? AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
                    ORDER BY e.expires_at, e.grp, e.key, e.version
                    LIMIT ?) f
             ORDER BY f.expires_at, f.grp, f.key, f.version
             LIMIT ?
            """;

    /** Steps through the groups of the table {@code %1$s}, and tells {@code %2$s} of each. */
    private static final String STEPS = """
            WITH RECURSIVE name (slot, grp, n) AS (
                SELECT s.slot, (SELECT e.grp FROM @%1$s e
                                 WHERE e.slot = {s.slot} AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
                                 ORDER BY e.slot, e.grp LIMIT 1), 1
                  FROM pg_catalog.unnest(?::int[]) s (slot)
                UNION ALL
                SELECT name.slot, (SELECT e.grp FROM @%1$s e
                                    WHERE e.slot = {name.slot} AND e.grp > name.grp AND (?::text IS NULL OR e.grp < ?::text)
                                    ORDER BY e.slot, e.grp LIMIT 1), n + 1
                  FROM name
                 WHERE name.grp IS NOT NULL AND n < ?
            )
            SELECT slot, grp, n, %2$s
              FROM name
             WHERE grp IS NOT NULL
            """;

    /** A subquery with an order and a limit stops at the first live row. For EXISTS, the server may first make a table of all rows. */
    private static final String NAMES = STEPS.formatted("entry", """
            (SELECT 1 FROM @entry e WHERE e.slot = {name.slot} AND e.grp = name.grp AND %s ORDER BY e.key LIMIT 1) IS NOT NULL
            """.formatted(PageQuery.AT_TIME));

    private static final String RETAINED_GROUPS = STEPS.formatted(
                    "retained",
                    "(SELECT min(r.expires_at) FROM @retained r WHERE r.slot = {name.slot} AND r.grp = name.grp)")
            + "ORDER BY grp LIMIT ?";

    RowQueries(QueryRunner runner, Slots slots) {
        this(runner, slots, groups -> {});
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        return get(List.of(key), at).get(key);
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        keys.forEach(key -> announced.accept(GroupRange.only(key.group())));
        Map<RowKey, Row> found = new HashMap<>();
        if (!keys.isEmpty()) {
            runner.run(readAll(runner.script(), keys, found));
        }
        found.values().removeIf(row -> !row.isLiveAt(at));
        return found;
    }

    /** Adds the query for some rows. */
    Script readAll(Script script, Collection<RowKey> keys, Map<RowKey, Row> found) {
        if (keys.size() == 1) {
            RowKey key = keys.iterator().next();
            return script.query(READ, row -> found.put(key, RowColumns.row(key, row)), slots.of(key.group()), key);
        }
        return script.query(
                READ_ALL,
                row -> {
                    RowKey key = RowColumns.key(row, 6);
                    found.put(key, RowColumns.row(key, row));
                },
                Columns.names(slots, keys));
    }

    /** Rows that are read in two steps: first the small values and the sizes of all, and then the large ones. */
    static final class Sized {
        private final List<RowKey> large = new ArrayList<>();
        private long bytes;

        /** Returns the rows whose values are still to be read, after the first step. */
        List<RowKey> large(long most) {
            if (bytes > most) {
                throw new LargeLoadException();
            }
            return large;
        }
    }

    /** Adds the query for some rows without large values. */
    Sized readSmall(Script script, Collection<RowKey> keys, Map<RowKey, Row> found) {
        Sized sized = new Sized();
        Script unused = script.query(
                READ_SMALL,
                row -> {
                    RowKey key = RowColumns.key(row, 6);
                    sized.bytes += row.getLong(8);
                    if (row.getBytes(5) == null) {
                        sized.large.add(key);
                    } else {
                        found.put(key, RowColumns.row(key, row));
                    }
                },
                Columns.names(slots, keys));
        return sized;
    }

    @Override
    public RowPage page(Scan scan) {
        announced.accept(scan.groups());
        if (scan.order() == Scan.Order.RETAINED) {
            return retained(scan);
        }
        Script script = runner.script();
        PageQuery page = PageQuery.of(script, slots.of(scan.group()), scan, PageQuery.AT_TIME, scan.at());
        runner.run(script);
        return page.page();
    }

    private RowPage retained(Scan scan) {
        Place after = scan.after();
        List<Row> found = runner.list(
                RETAINED,
                row -> RowColumns.row(RowColumns.key(row, 6), row),
                RowColumns.integers(slots.of(scan.groups())),
                after.time(),
                after.key(),
                after.version(),
                scan.before(),
                scan.groups(),
                scan.limit(),
                scan.limit());
        return new RowPage(found, found.size() == scan.limit(), true);
    }

    @Override
    public long count(Scan scan) {
        announced.accept(scan.groups());
        GroupRange groups = scan.groups();
        if (groups.isOneGroup()) {
            Object to = Script.orNull(scan.to(), TEXT);
            return count(COUNT, slots.of(scan.group()), scan.group(), scan.from(), to, to, scan.at());
        }
        return count(COUNT_RANGE, RowColumns.integers(slots.of(groups)), groups, scan.at());
    }

    private long count(String query, @Nullable Object... parameters) {
        return runner.<Long>one(query, row -> row.getLong(1), parameters);
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        announced.accept(scan.groups());
        return scan.order() == Scan.Order.RETAINED
                ? retainedGroups(scan.groups(), scan.limit())
                : liveGroups(scan.groups(), scan.at(), scan.limit());
    }

    /** A group, and whether it has a row that is live at the time. */
    private record Name(String group, boolean live) {}

    /**
     * Lists groups that have a row which is live at a time. Steps from one name to the next in the index, instead of reading every row, and merges
     * the lists of the slots.
     */
    private List<GroupInfo> liveGroups(GroupRange groups, long at, int limit) {
        List<GroupInfo> found = new ArrayList<>();
        GroupRange rest = groups;
        while (rest != null && found.size() < limit) {
            rest = addNames(rest, at, limit, found);
        }
        return found.size() > limit ? found.subList(0, limit) : found;
    }

    /** Adds the next names, and returns the range in which there may be more; null if there are none. */
    private @Nullable GroupRange addNames(GroupRange groups, long at, int limit, Collection<GroupInfo> found) {
        List<Name> names = new ArrayList<>();
        Map<Integer, String> cut = new HashMap<>();
        Object to = Script.orNull(groups.to(), TEXT);
        runner.run(runner.script()
                .querySteps(
                        NAMES,
                        slots.of(groups),
                        row -> {
                            names.add(new Name(row.getString(2), row.getBoolean(4)));
                            if (row.getInt(3) == limit) {
                                cut.put(row.getInt(1), row.getString(2));
                            }
                        },
                        some -> List.of(groups.from(), to, to, some, to, to, limit, at)));
        names.sort(Comparator.comparing(Name::group, Utf8.ORDER));
        // Behind the first place where a slot's list was cut, names may be missing.
        String end = cut.values().stream().min(Utf8.ORDER).orElse(null);
        for (Name name : names) {
            if (name.live() && (end == null || Utf8.ORDER.compare(name.group(), end) <= 0)) {
                found.add(GroupInfo.of(name.group()));
            }
        }
        return end == null ? null : groups.after(end);
    }

    private List<GroupInfo> retainedGroups(GroupRange groups, int limit) {
        List<GroupInfo> found = new ArrayList<>();
        Object to = Script.orNull(groups.to(), TEXT);
        runner.run(runner.script()
                .querySteps(
                        RETAINED_GROUPS,
                        slots.of(groups),
                        row -> found.add(new GroupInfo(row.getString(2), row.getLong(4))),
                        some -> List.of(groups.from(), to, to, some, to, to, limit, limit)));
        found.sort(Comparator.comparing(GroupInfo::group, Utf8.ORDER));
        return found.size() > limit ? found.subList(0, limit) : found;
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        announced.accept(scan.groups());
        return new ExpiryIndex(runner, slots).walk(scan);
    }

    /** Counts the rows of groups, live or expired. */
    List<GroupUsage> usage(GroupRange groups) {
        return runner.list(
                USAGE,
                row -> new GroupUsage(row.getString(1), row.getLong(2), row.getLong(3)),
                RowColumns.integers(slots.of(groups)),
                groups);
    }

    Totals totals(long now) {
        return runner.one(
                TOTALS,
                row -> {
                    long expired = row.getLong(2);
                    return new Totals(row.getLong(1) - expired, expired, row.getLong(3));
                },
                now,
                now);
    }
}
