package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Utf8;

/**
 * Lists groups. It steps from one name to the next in the index, instead of reading every row, and merges the lists of the
 * slots. Used by one thread at a time.
 */
final class GroupNames {

    /** A subquery with an order and a limit stops at the first live row. For EXISTS, the server may first make a table of all rows. */
    private static final String NAMES = """
            WITH RECURSIVE name (slot, grp, n) AS (
                SELECT s.slot, (SELECT e.grp FROM @entry e
                                 WHERE e.slot = {s.slot} AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
                                 ORDER BY e.slot, e.grp LIMIT 1), 1
                  FROM pg_catalog.unnest(?::int[]) s (slot)
                UNION ALL
                SELECT name.slot, (SELECT e.grp FROM @entry e
                                    WHERE e.slot = {name.slot} AND e.grp > name.grp AND (?::text IS NULL OR e.grp < ?::text)
                                    ORDER BY e.slot, e.grp LIMIT 1), n + 1
                  FROM name
                 WHERE name.grp IS NOT NULL AND n < ?
            )
            SELECT slot, grp, n,
                   (SELECT 1 FROM @entry e WHERE e.slot = {name.slot} AND e.grp = name.grp AND %s
                     ORDER BY e.key LIMIT 1) IS NOT NULL
              FROM name
             WHERE grp IS NOT NULL
            """.formatted(PageQuery.AT_TIME);

    private final Runner runner;
    private final Slots slots;

    GroupNames(Runner runner, Slots slots) {
        this.runner = runner;
        this.slots = slots;
    }

    /** A group, and whether it has a row that is live at the time. */
    private record Name(String group, boolean live) {}

    /** Lists groups that have a row which is live at a time. */
    List<GroupInfo> list(GroupRange groups, long at, int limit) {
        List<GroupInfo> found = new ArrayList<>();
        GroupRange rest = groups;
        while (rest != null && found.size() < limit) {
            rest = page(rest, at, limit, found);
        }
        return found.size() > limit ? found.subList(0, limit) : found;
    }

    /** Adds the next names, and returns the range in which there may be more; null if there are none. */
    private @Nullable GroupRange page(GroupRange groups, long at, int limit, Collection<GroupInfo> found) {
        List<Name> names = new ArrayList<>();
        Map<Integer, String> cut = new HashMap<>();
        Object to = Script.orNull(groups.to());
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
}
