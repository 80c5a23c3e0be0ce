package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.RetainedGroup;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;

/** Rows in a map, found by looking at all of them. */
final class FakeReads implements EngineReads {

    private static final Comparator<Row> BY_KEY =
            Comparator.comparing(row -> row.key().key(), Utf8.ORDER);

    private static final Comparator<RetainedScan.Position> RETAINED = Comparator.comparingLong(
                    RetainedScan.Position::expiresAt)
            .thenComparing(position -> position.key().group(), Utf8.ORDER)
            .thenComparing(position -> position.key().key(), Utf8.ORDER)
            .thenComparingLong(RetainedScan.Position::version);

    private final Supplier<Map<RowKey, Row>> rows;
    private final Collection<Row> retained;
    private final int pageRows;
    private final UnaryOperator<Row> handOut;

    /** Reads the rows that it is given when it is asked, and hands out these; no page of a scan has more than some rows. */
    FakeReads(Supplier<Map<RowKey, Row>> rows, Collection<Row> retained, int pageRows) {
        this(rows, retained, pageRows, UnaryOperator.identity());
    }

    /** Reads the rows that it is given when it is asked; says what it hands out for a row. */
    FakeReads(Supplier<Map<RowKey, Row>> rows, Collection<Row> retained, int pageRows, UnaryOperator<Row> handOut) {
        this.rows = rows;
        this.retained = retained;
        this.pageRows = pageRows;
        this.handOut = handOut;
    }

    @Override
    public @Nullable Row read(RowKey key) {
        Row row = rows.get().get(key);
        return row == null ? null : handOut.apply(row);
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        Map<RowKey, Row> found = new HashMap<>();
        Map<RowKey, Row> now = rows.get(); // once, because all rows are of one moment
        for (RowKey key : keys) {
            Row row = now.get(key);
            if (row != null) {
                found.put(key, handOut.apply(row));
            }
        }
        return found;
    }

    @Override
    public RowPage scan(Scan scan) {
        int size = Math.min(scan.limit(), pageRows);
        List<Row> page = live(GroupRange.only(scan.group()), scan.now())
                .filter(row -> scan.contains(row.key().key()))
                .sorted(scan.reversed() ? BY_KEY.reversed() : BY_KEY)
                .limit(size)
                .map(handOut)
                .toList();
        return new RowPage(page, page.size() == size);
    }

    @Override
    public RowPage created(AgeScan scan) {
        int size = Math.min(scan.limit(), pageRows);
        List<Row> page = rows.get().values().stream()
                .filter(scan::contains)
                .sorted(AgeScan.ORDER)
                .limit(size)
                .map(handOut)
                .toList();
        return new RowPage(page, page.size() == size);
    }

    @Override
    public List<KeyValue> readGroup(String group, long now) {
        return rows(group, now)
                .map(row -> new KeyValue(row.key().key(), row.value().clone()))
                .toList();
    }

    private Stream<Row> rows(String group, long now) {
        return live(GroupRange.only(group), now).sorted(BY_KEY);
    }

    @Override
    public long count(Scan scan) {
        return live(GroupRange.only(scan.group()), scan.now())
                .filter(row -> scan.contains(row.key().key()))
                .count();
    }

    @Override
    public long count(GroupRange groups, long now) {
        return live(groups, now).count();
    }

    @Override
    public List<String> groups(GroupRange groups, String after, long now, int limit) {
        return live(groups, now)
                .map(row -> row.key().group())
                .distinct()
                .filter(group -> Utf8.ORDER.compare(group, after) > 0)
                .sorted(Utf8.ORDER)
                .limit(limit)
                .toList();
    }

    @Override
    public List<GroupUsage> usage(GroupRange groups) {
        List<GroupUsage> usages = new ArrayList<>();
        for (String group : groups(groups, "", Long.MIN_VALUE, Integer.MAX_VALUE)) {
            List<Row> ofGroup = rows(group, Long.MIN_VALUE).toList();
            usages.add(new GroupUsage(
                    group,
                    ofGroup.size(),
                    ofGroup.stream().mapToLong(Row::bytes).sum()));
        }
        return usages;
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        return new FakeExpiryWalk(
                () -> rows.get().values().stream()
                        .filter(row -> row.expiresAt() != Row.NEVER)
                        .filter(row -> row.expiresAt() >= scan.from() && row.expiresAt() < scan.to())
                        .filter(row -> scan.groups().contains(row.key().group()))
                        .map(row -> new ExpiryRow(row.key(), row.version(), row.expiresAt(), row.bytes())),
                scan.pageSize());
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        return retained.stream()
                .filter(row -> row.expiresAt() >= scan.from() && row.expiresAt() < scan.to())
                .filter(row -> scan.groups().contains(row.key().group()))
                .filter(row -> RETAINED.compare(position(row), scan.after()) > 0)
                .sorted(Comparator.comparing(FakeReads::position, RETAINED))
                .limit(scan.limit())
                .toList();
    }

    private Stream<Row> live(GroupRange groups, long now) {
        Predicate<Row> wanted =
                row -> row.isLiveAt(now) && groups.contains(row.key().group());
        return rows.get().values().stream().filter(wanted);
    }

    @Override
    public List<RetainedGroup> retainedGroups(GroupRange groups, String after, int limit) {
        return retained.stream()
                .filter(row -> groups.contains(row.key().group())
                        && Utf8.ORDER.compare(row.key().group(), after) > 0)
                .collect(Collectors.toMap(
                        row -> row.key().group(), Row::expiresAt, Math::min, () -> new TreeMap<>(Utf8.ORDER)))
                .entrySet()
                .stream()
                .limit(limit)
                .map(group -> new RetainedGroup(group.getKey(), group.getValue()))
                .toList();
    }

    private static RetainedScan.Position position(Row row) {
        return new RetainedScan.Position(row.expiresAt(), row.key(), row.version());
    }
}
