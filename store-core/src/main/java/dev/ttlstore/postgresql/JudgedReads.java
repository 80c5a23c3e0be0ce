package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.regex.Matcher;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.LiveReads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/**
 * Reads that the server's time judges. A row is live while its expiry is later than the time of its slot: the server's clock, or
 * the time of the slot's newest commit if that is later. If a row has expired by the clock but not yet by the newest commit, a
 * commit under way may still renew it. Then the reader {@linkplain FinalTimes looks} at the time under the slot's lock, and reads
 * again by that time. Thread-safe.
 */
final class JudgedReads implements LiveReads {

    /** The time of the head, and the clock, of rows that expire. */
    private static final String TIMES = """
            , CASE WHEN e.expires_at IS NULL THEN 0
                   ELSE (SELECT %s FROM @log l WHERE l.slot = %%s ORDER BY l.seq DESC LIMIT 1) END,
              CASE WHEN e.expires_at IS NULL THEN 0 ELSE {now} END
            """.formatted(Times.AT.formatted("l"));

    private static final String READ = Reads.READ.replace(" FROM", TIMES.formatted("?") + " FROM");

    private static final String READ_ALL = Reads.READ_ALL.replaceFirst(
            "\\s+FROM unnest", Matcher.quoteReplacement(TIMES.formatted("e.slot")) + " FROM unnest");

    private final Runner runner;
    private final Slots slots;
    private final Reads reads;
    private final FinalTimes finalTimes;
    private final Times times;
    private final Following following;

    JudgedReads(Runner runner, Slots slots, FinalTimes finalTimes, Times times, Following following) {
        this.runner = runner;
        this.slots = slots;
        this.reads = new Reads(runner, slots);
        this.finalTimes = finalTimes;
        this.times = times;
        this.following = following;
    }

    /** A row, the time of the newest commit of its slot, and the clock. */
    private record Found(Row row, long at, long clock) {

        private long time() {
            return Times.ofSlot(clock, at);
        }
    }

    @Override
    public long latestNow() {
        return times.latestNow();
    }

    @Override
    public boolean hasFollowed(Row row) {
        LogPlace place = following.place(slots.of(row.key().group()));
        return place != null && slots.seq(row.version()) <= place.seq();
    }

    @Override
    public @Nullable Row read(RowKey key) {
        long begun = System.nanoTime();
        int slot = slots.of(key.group());
        Found found = readNow(slot, key);
        if (found == null || found.row().expiresAt() == Row.NEVER) {
            return found == null ? null : found.row();
        }
        long time = times.told(found.time());
        if (found.row().isLiveAt(time)) {
            return found.row();
        }
        if (!found.row().isLiveAt(found.at())) {
            return null; // every later commit agrees
        }
        finalTimes.look(slot, time, begun);
        Row again = reads.read(key);
        return again != null && again.isLiveAt(time) ? again : null;
    }

    private @Nullable Found readNow(int slot, RowKey key) {
        List<Found> found = new ArrayList<>(1);
        runner.run(addRead(runner.script(), slot, key, found));
        return found.isEmpty() ? null : found.get(0);
    }

    private static Script addRead(Script script, int slot, RowKey key, List<Found> found) {
        return script.query(
                READ,
                row -> found.add(new Found(SlotColumns.row(key, row), row.getLong(6), row.getLong(7))),
                slot,
                slot,
                key.group(),
                key.key());
    }

    /** Reads a row, live or expired, for a commit that will check it again. The time of the row is told. */
    static @Nullable Row readOnce(Connections.Borrowed connection, NodeParts parts, RowKey key) {
        List<Found> found = new ArrayList<>(1);
        int slot = parts.slots().of(key.group());
        try {
            connection.runFirst(addRead(parts.connections().script(), slot, key, found));
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
        if (found.isEmpty()) {
            return null;
        }
        Row row = found.get(0).row();
        if (row.expiresAt() != Row.NEVER) {
            long unused = parts.times().told(found.get(0).time());
        }
        return row;
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        long begun = System.nanoTime();
        List<Found> found = new ArrayList<>();
        if (!keys.isEmpty()) {
            SlotColumns.Keys columns = SlotColumns.Keys.of(slots, keys);
            runner.run(runner.script()
                    .query(
                            READ_ALL,
                            row -> found.add(new Found(
                                    SlotColumns.row(SlotColumns.key(row, 6), row), row.getLong(8), row.getLong(9))),
                            columns.slots(),
                            columns.groups(),
                            columns.keys()));
        }
        Map<RowKey, Row> live = new HashMap<>();
        Map<Integer, Long> unsettled = new TreeMap<>();
        long latest = Long.MIN_VALUE;
        for (Found row : found) {
            if (row.row().expiresAt() != Row.NEVER) {
                latest = Math.max(latest, times.told(row.time()));
            }
        }
        for (Found row : found) {
            if (row.row().isLiveAt(latest)) {
                live.put(row.row().key(), row.row());
            } else if (row.row().isLiveAt(row.at())) {
                unsettled.put(slots.of(row.row().key().group()), latest);
            }
        }
        if (unsettled.isEmpty()) {
            return live;
        }
        unsettled.forEach((slot, time) -> finalTimes.look(slot, time, begun));
        long time = latest;
        Map<RowKey, Row> again = reads.read(keys);
        again.values().removeIf(row -> !row.isLiveAt(time));
        return again;
    }

    @Override
    public List<KeyValue> readGroup(String group) {
        long begun = System.nanoTime();
        int slot = slots.of(group);
        List<Found> found = new ArrayList<>();
        Script script = runner.script();
        Moment moment = Moment.of(script, slot);
        script.query(
                Reads.READ_GROUP.formatted(PageQuery.AT_HEAD),
                row -> found.add(new Found(
                        new Row(new RowKey(group, row.getString(1)), row.getBytes(2), 0, 0, 0, row.getLong(3)), 0, 0)),
                slot,
                group,
                slot);
        runner.run(script);
        long time = times.told(moment.time());
        if (found.stream().anyMatch(row -> !row.row().isLiveAt(time))) {
            finalTimes.look(slot, time, begun);
            return reads.readGroup(group, time);
        }
        return found.stream()
                .map(row -> new KeyValue(row.row().key().key(), row.row().value()))
                .toList();
    }

    @Override
    public RowPage scan(Scan scan) {
        return page(
                scan.group(),
                (script, slot) -> PageQuery.scan(script, slot, scan, PageQuery.AT_HEAD, slot),
                time -> reads.scan(scan.with(time, scan.limit())));
    }

    @Override
    public RowPage created(AgeScan scan) {
        return page(
                scan.group(),
                (script, slot) -> PageQuery.created(script, slot, scan, PageQuery.AT_HEAD, slot),
                time -> reads.created(scan.at(time)));
    }

    private RowPage page(String group, BiFunction<Script, Integer, PageQuery> query, LongFunction<RowPage> again) {
        long begun = System.nanoTime();
        int slot = slots.of(group);
        Script script = runner.script();
        Moment moment = Moment.of(script, slot);
        PageQuery page = query.apply(script, slot);
        runner.run(script);
        long time = times.told(moment.time());
        if (page.rows().stream().allMatch(row -> row.isLiveAt(time))) {
            return page.page();
        }
        finalTimes.look(slot, time, begun);
        return again.apply(time);
    }

    @Override
    public long count(GroupRange groups, long at) {
        return reads.count(groups, Math.max(at, settle(slots.of(groups))));
    }

    @Override
    public long count(Scan scan) {
        long now = settle(List.of(slots.of(scan.group())));
        return reads.count(scan.with(Math.max(scan.now(), now), scan.limit()));
    }

    @Override
    public List<String> groups(GroupRange groups, String after, int limit) {
        return reads.groups(groups, after, settle(slots.of(groups)), limit);
    }

    /** Returns the time of some slots. Nothing that has expired by it can be renewed any more. */
    long settle(List<Integer> some) {
        long begun = System.nanoTime();
        Map<Integer, Long> heads = new TreeMap<>();
        List<Long> found = new ArrayList<>();
        runner.run(Head.query(runner.script(), some, head -> {
            heads.put(head.slot(), head.at());
            found.add(head.time());
        }));
        long time = times.told(found.stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE));
        FinalTimes.unsettled(runner, heads, time).forEach(slot -> finalTimes.look(slot, time, begun));
        return time;
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        return new JudgedWalk(scan, true);
    }

    @Override
    public ExpiryWalk expired(ExpiryScan scan) {
        return new JudgedWalk(scan, false);
    }

    /** A walk whose pages leave out the rows that are live, or those that are not. */
    private final class JudgedWalk implements ExpiryWalk {
        private final List<Integer> some;
        private final ExpiryWalk walk;
        private final boolean live;

        private JudgedWalk(ExpiryScan scan, boolean live) {
            this.some = slots.of(scan.groups());
            this.walk = reads.expiries(scan);
            this.live = live;
        }

        @Override
        public List<ExpiryRow> next() {
            long time = settle(some);
            List<ExpiryRow> page = new ArrayList<>(walk.next());
            page.removeIf(row -> (time < row.expiresAt()) != live);
            return page;
        }

        @Override
        public boolean hasMore() {
            return walk.hasMore();
        }

        @Override
        public boolean hasReached(long expiresAt, RowKey key) {
            return walk.hasReached(expiresAt, key);
        }

        @Override
        public long reached() {
            return walk.reached();
        }
    }

    /** The head of a slot, read in the same round trip as rows and before them. */
    private static final class Moment {
        private final int slot;
        private @Nullable Head head;

        private Moment(int slot) {
            this.slot = slot;
        }

        private static Moment of(Script script, int slot) {
            Moment moment = new Moment(slot);
            Script unused = Head.query(script, List.of(slot), head -> moment.head = head);
            return moment;
        }

        private long time() {
            return Head.required(slot, head).time();
        }
    }
}
