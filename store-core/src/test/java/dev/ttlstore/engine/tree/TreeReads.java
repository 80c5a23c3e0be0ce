package dev.ttlstore.engine.tree;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.Utf8;

import static java.util.stream.Collectors.groupingBy;

/** Reads a tree. Each call looks at one state. */
public record TreeReads(Supplier<TreeState> state, StoreClock clock) implements Reads {

    @Override
    public @Nullable Row get(RowKey key, long at) {
        return get(List.of(key), at).get(key);
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        TreeMap<RowKey, Row> rows = state.get().rows();
        Map<RowKey, Row> found = new HashMap<>();
        for (RowKey key : keys) {
            Row row = rows.get(key);
            if (row != null && row.isLiveAt(at)) {
                found.put(key, row);
            }
        }
        return found;
    }

    @Override
    public RowPage page(Scan scan) {
        List<Row> page = rows(scan)
                .filter(scan::contains)
                .sorted(scan.comparator())
                .limit(scan.limit())
                .toList();
        return new RowPage(page, page.size() == scan.limit(), false);
    }

    private Stream<Row> rows(Scan scan) {
        return scan.order() == Scan.Order.RETAINED ? state.get().retained().stream() : rows(scan.groups());
    }

    private Stream<Row> rows(GroupRange groups) {
        return state.get().rows().tailMap(new RowKey(groups.from(), "")).values().stream()
                .takeWhile(row -> groups.contains(row.key().group()));
    }

    @Override
    public long count(Scan scan) {
        return rows(scan).filter(scan::contains).count();
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        boolean retained = scan.order() == Scan.Order.RETAINED;
        TreeMap<String, Long> groups = new TreeMap<>(Utf8.ORDER);
        rows(scan)
                .filter(scan::contains)
                .forEach(row -> groups.merge(row.key().group(), retained ? row.expiresAt() : Row.NEVER, Math::min));
        return groups.entrySet().stream()
                .limit(scan.limit())
                .map(group -> new GroupInfo(group.getKey(), group.getValue()))
                .toList();
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        return new Walk(scan);
    }

    /** The room that each of some groups uses, with expired rows. */
    public List<GroupUsage> usage(GroupRange groups) {
        return rows(groups).collect(groupingBy(row -> row.key().group())).entrySet().stream()
                .map(group -> new GroupUsage(
                        group.getKey(),
                        group.getValue().size(),
                        group.getValue().stream().mapToLong(Row::bytes).sum()))
                .toList();
    }

    /** A walk that sorts the rows for each page. An index of expiries would spare it that. */
    private final class Walk implements ExpiryWalk {
        private final ExpiryScan scan;
        private Place reached = Place.START;

        private Walk(ExpiryScan scan) {
            this.scan = scan;
        }

        @Override
        public List<ExpiryRow> next() {
            long now = clock.now();
            List<Row> page = rows(scan.groups())
                    .filter(row -> row.expiresAt() >= scan.from() && row.expiresAt() < scan.to())
                    .filter(row -> Place.ofExpiry(row).compareTo(reached) > 0)
                    .sorted((one, other) -> Place.ofExpiry(one).compareTo(Place.ofExpiry(other)))
                    .limit(scan.pageSize())
                    .toList();
            reached = page.size() < scan.pageSize() ? Place.END : Place.ofExpiry(page.get(page.size() - 1));
            return page.stream()
                    .map(row -> new ExpiryRow(row.key(), row.version(), row.expiresAt(), row.bytes()))
                    .filter(row -> scan.shows(row, now))
                    .toList();
        }

        @Override
        public Place reached() {
            return reached;
        }
    }
}
