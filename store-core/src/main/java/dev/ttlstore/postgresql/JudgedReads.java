package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/**
 * Reads that the server's time judges. A row is live while its expiry is later than the time of its slot: the server's clock, or
 * the time of the slot's newest commit if that is later. If a row has expired by the clock but not yet by the newest commit, a
 * commit under way may still renew it. Then the reader {@linkplain FinalTimes looks} at the time under the slot's lock, and reads
 * again by that time. Thread-safe.
 *
 * <p>A time that has passed counts as now.
 *
 * @param node what all reads share
 * @param queries the queries by a time
 */
record JudgedReads(NodeContext node, RowQueries queries) implements Reads {

    /** The time of the head, and the clock, of rows that expire. */
    private static final String TIMES = """
            , CASE WHEN e.expires_at IS NULL THEN 0
                   ELSE (SELECT %s FROM @log l WHERE l.slot = %%s ORDER BY l.seq DESC LIMIT 1) END,
              CASE WHEN e.expires_at IS NULL THEN 0 ELSE {now} END
            """.formatted(ServerClock.AT.formatted("l"));

    private static final String READ = RowQueries.READ.replace(" FROM", TIMES.formatted("?") + " FROM");

    private static final String READ_ALL = RowQueries.READ_ALL.replaceFirst(
            "\\s+FROM unnest", Matcher.quoteReplacement(TIMES.formatted("e.slot")) + " FROM unnest");

    /** A row, the time of the newest commit of its slot, and the clock. */
    private record Found(Row row, long at, long clock) {

        private long time() {
            return ServerClock.ofSlot(clock, at);
        }
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        if (at != NOW) {
            return queries.get(key, judged(GroupRange.only(key.group()), at));
        }
        long begun = System.nanoTime();
        int slot = node.slots().of(key.group());
        Found found = node.connections()
                .<Found>first(
                        READ,
                        row -> new Found(RowColumns.row(key, row), row.getLong(6), row.getLong(7)),
                        slot,
                        slot,
                        key);
        if (found == null || found.row().expiresAt() == Row.NEVER) {
            return found == null ? null : found.row();
        }
        long time = node.clock().told(found.time());
        if (found.row().isLiveAt(time)) {
            return found.row();
        }
        if (!found.row().isLiveAt(found.at())) {
            return null; // every later commit agrees
        }
        node.finalTimes().look(slot, time, begun);
        return queries.get(key, time);
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        if (at != NOW) {
            return queries.get(keys, judged(GroupRange.ALL, at));
        }
        long begun = System.nanoTime();
        List<Found> found = keys.isEmpty()
                ? List.of()
                : node.connections()
                        .list(
                                READ_ALL,
                                row -> new Found(
                                        RowColumns.row(RowColumns.key(row, 6), row), row.getLong(8), row.getLong(9)),
                                RowColumns.Columns.names(node.slots(), keys));
        Map<RowKey, Row> live = new HashMap<>();
        Map<Integer, Long> unsettled = new TreeMap<>();
        long latest = Long.MIN_VALUE;
        for (Found row : found) {
            if (row.row().expiresAt() != Row.NEVER) {
                latest = Math.max(latest, node.clock().told(row.time()));
            }
        }
        for (Found row : found) {
            if (row.row().isLiveAt(latest)) {
                live.put(row.row().key(), row.row());
            } else if (row.row().isLiveAt(row.at())) {
                unsettled.put(node.slots().of(row.row().key().group()), latest);
            }
        }
        if (unsettled.isEmpty()) {
            return live;
        }
        unsettled.forEach((slot, time) -> node.finalTimes().look(slot, time, begun));
        return queries.get(keys, latest);
    }

    @Override
    public RowPage page(Scan scan) {
        if (scan.at() != NOW) {
            return queries.page(scan.at(judged(scan.groups(), scan.at())));
        }
        long begun = System.nanoTime();
        int slot = node.slots().of(scan.group());
        List<LogHead> head = new ArrayList<>(1);
        Script script = LogHead.query(
                node.connections().script(), List.of(slot), head::add); // in the same round trip, before the rows
        PageQuery page = PageQuery.of(script, slot, scan, PageQuery.AT_HEAD, slot);
        node.connections().run(script);
        long time = node.clock().told(LogHead.required(slot, head).time());
        if (page.rows().stream().allMatch(row -> row.isLiveAt(time))) {
            return page.page();
        }
        node.finalTimes().look(slot, time, begun);
        return queries.page(scan.at(time));
    }

    @Override
    public long count(Scan scan) {
        return queries.count(scan.at(judged(scan.groups(), scan.at())));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        return queries.groups(scan.at(judged(scan.groups(), scan.at())));
    }

    /** Returns the time at which rows are live for a read of some groups: not before the present, unless it wants all rows. */
    private long judged(GroupRange groups, long at) {
        return at == ALL ? ALL : Math.max(at, settle(node.slots().of(groups)));
    }

    /** Returns the time of some slots. Nothing that has expired by it can be renewed any more. */
    long settle(List<Integer> some) {
        long begun = System.nanoTime();
        Map<Integer, Long> heads = new TreeMap<>();
        List<Long> found = new ArrayList<>();
        node.connections().run(LogHead.query(node.connections().script(), some, head -> {
            heads.put(head.slot(), head.at());
            found.add(head.time());
        }));
        long time = node.clock()
                .told(found.stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE));
        FinalTimes.unsettled(node.connections(), heads, time)
                .forEach(slot -> node.finalTimes().look(slot, time, begun));
        return time;
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        ExpiryWalk walk = queries.expiring(scan);
        return scan.wanted() == ExpiryScan.Wanted.ALL ? walk : new JudgedWalk(scan, walk);
    }

    /** A walk whose pages have only live rows, or only rows that are not live. */
    private final class JudgedWalk implements ExpiryWalk {
        private final ExpiryScan scan;
        private final List<Integer> some;
        private final ExpiryWalk walk;

        private JudgedWalk(ExpiryScan scan, ExpiryWalk walk) {
            this.scan = scan;
            this.some = node.slots().of(scan.groups());
            this.walk = walk;
        }

        @Override
        public List<ExpiryRow> next() {
            long time = settle(some);
            return walk.next().stream().filter(row -> scan.shows(row, time)).toList();
        }

        @Override
        public Place reached() {
            return walk.reached();
        }
    }
}
