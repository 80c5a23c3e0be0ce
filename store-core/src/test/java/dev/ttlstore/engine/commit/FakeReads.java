package dev.ttlstore.engine.commit;

import java.util.Collection;
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

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.Utf8;

/** Rows in a map, found by looking at all of them. */
final class FakeReads implements Reads {

    private final Sight sight;
    private final int pageRows;
    private final UnaryOperator<Row> handOut;
    private final Runnable afterGet;

    /** What is there at a moment, and the time at which it is judged. */
    record Moment(Map<RowKey, Row> rows, Collection<Row> retained, long at) {

        private Stream<Row> live(GroupRange groups) {
            Predicate<Row> wanted =
                    row -> row.isLiveAt(at) && groups.contains(row.key().group());
            return rows.values().stream().filter(wanted);
        }
    }

    /** Looks at the data once for each read, because all that it finds is of one moment. */
    interface Sight {
        Moment at(long at);
    }

    /** Reads the rows that it is given when it is asked, and hands out these; no page of a scan has more than some rows. */
    FakeReads(Supplier<Map<RowKey, Row>> rows, int pageRows) {
        this(at -> new Moment(rows.get(), List.of(), at), pageRows, UnaryOperator.identity(), () -> {});
    }

    /** Reads what it sees when it is asked; says what it hands out for a row, and tells when it has read one. */
    FakeReads(Sight sight, int pageRows, UnaryOperator<Row> handOut, Runnable afterGet) {
        this.sight = sight;
        this.pageRows = pageRows;
        this.handOut = handOut;
        this.afterGet = afterGet;
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        Row row = get(List.of(key), at).get(key);
        afterGet.run();
        return row;
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        Map<RowKey, Row> found = new HashMap<>();
        Moment moment = sight.at(at);
        for (RowKey key : keys) {
            Row row = moment.rows().get(key);
            if (row != null && row.isLiveAt(moment.at())) {
                found.put(key, handOut.apply(row));
            }
        }
        return found;
    }

    @Override
    public RowPage page(Scan scan) {
        Moment moment = sight.at(scan.at());
        Scan judged = scan.at(moment.at());
        int size = scan.isWhole() ? scan.limit() : Math.min(scan.limit(), pageRows);
        Collection<Row> all = scan.order() == Scan.Order.RETAINED
                ? moment.retained()
                : moment.rows().values();
        List<Row> page = all.stream()
                .filter(judged::contains)
                .sorted(scan.comparator())
                .limit(size)
                .map(handOut)
                .map(row -> scan.isWhole() ? withValueOnly(row) : row)
                .toList();
        return new RowPage(page, page.size() == size, false);
    }

    private static Row withValueOnly(Row row) {
        return new Row(row.key(), row.storedValue(), 0, 0, 0, Row.NEVER, row.damaged());
    }

    @Override
    public long count(Scan scan) {
        Moment moment = sight.at(scan.at());
        return moment.rows().values().stream()
                .filter(scan.at(moment.at())::contains)
                .count();
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        Moment moment = sight.at(scan.at());
        if (scan.order() == Scan.Order.RETAINED) {
            return moment.retained().stream()
                    .filter(row -> scan.groups().contains(row.key().group()))
                    .collect(Collectors.toMap(
                            row -> row.key().group(), Row::expiresAt, Math::min, () -> new TreeMap<>(Utf8.ORDER)))
                    .entrySet()
                    .stream()
                    .limit(scan.limit())
                    .map(group -> new GroupInfo(group.getKey(), group.getValue()))
                    .toList();
        }
        return moment.live(scan.groups())
                .map(row -> row.key().group())
                .distinct()
                .sorted(Utf8.ORDER)
                .limit(scan.limit())
                .map(GroupInfo::of)
                .toList();
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        long at = scan.wanted() == ExpiryScan.Wanted.ALL ? ALL : NOW;
        return new FakeExpiryWalk(
                () -> {
                    Moment moment = sight.at(at);
                    return moment.rows().values().stream()
                            .filter(row -> row.expiresAt() != Row.NEVER)
                            .filter(row -> row.expiresAt() >= scan.from() && row.expiresAt() < scan.to())
                            .filter(row -> scan.groups().contains(row.key().group()))
                            .map(row -> new ExpiryRow(row.key(), row.version(), row.expiresAt(), row.bytes()))
                            .filter(row -> scan.shows(row, moment.at()));
                },
                scan.pageSize());
    }

    /** The room that each of some groups uses, with expired rows. */
    List<GroupUsage> usage(GroupRange groups) {
        Map<String, List<Row>> rows = sight.at(ALL)
                .live(groups)
                .collect(Collectors.groupingBy(row -> row.key().group(), TreeMap::new, Collectors.toList()));
        return rows.entrySet().stream()
                .map(group -> new GroupUsage(
                        group.getKey(),
                        group.getValue().size(),
                        group.getValue().stream().mapToLong(Row::bytes).sum()))
                .toList();
    }
}
