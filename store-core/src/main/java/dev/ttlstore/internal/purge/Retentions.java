package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;

/** How long expired entries are kept after they were removed: the time of the store, and those of some groups. */
public final class Retentions {

    private final long common;

    /** The groups with a time of their own, in order. */
    private final TreeMap<String, Long> own = new TreeMap<>(Utf8.ORDER);

    /**
     * Creates the times.
     *
     * @param common the time for groups without one of their own; zero to keep nothing
     * @param groups the settings of groups, by full name
     */
    public Retentions(Duration common, Map<String, GroupSettings> groups) {
        this.common = common.toMillis();
        groups.forEach((name, settings) -> {
            Duration retention = settings.retention();
            if (retention != null) {
                own.put(name, retention.toMillis());
            }
        });
    }

    /**
     * Returns the groups whose expired entries are kept.
     *
     * @return ranges that do not overlap, in order
     */
    public List<GroupRange> retained() {
        List<GroupRange> ranges = new ArrayList<>();
        String from = "";
        for (Map.Entry<String, Long> group : own.entrySet()) {
            GroupRange only = GroupRange.only(group.getKey());
            if (common > 0 && group.getValue() == 0) {
                ranges.add(new GroupRange(from, only.from()));
                from = Utf8.next(only.from());
            } else if (common == 0 && group.getValue() > 0) {
                ranges.add(only);
            }
        }
        if (common > 0) {
            ranges.add(new GroupRange(from, null));
        }
        return List.copyOf(ranges);
    }

    /** Returns whether all groups have the same time. */
    boolean areEqual() {
        return own.isEmpty();
    }

    /** Tests whether anything is retained. Asked first, because mostly nothing is, and then no commit is needed. */
    static boolean isAny(Reads reads, Scan first) {
        return reads.page(first).last() != null;
    }

    /**
     * Returns the last expiry that is forgotten.
     *
     * @param group the full group name; empty for groups without a time of their own
     * @param now the current time
     */
    long lastForgotten(String group, long now) {
        return now - own.getOrDefault(group, common);
    }
}
