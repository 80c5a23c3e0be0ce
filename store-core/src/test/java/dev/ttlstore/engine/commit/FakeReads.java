package dev.ttlstore.engine.commit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.tree.TreeReads;
import dev.ttlstore.engine.tree.TreeState;

/**
 * Reads the rows of a fake database.
 *
 * @param sight what there is at a moment
 * @param clock the time of the database
 * @param pageRows how many rows a page of a scan has at most
 * @param handOut says what is handed out for a row
 * @param afterGet called after each read of one row
 */
record FakeReads(Sight sight, StoreClock clock, int pageRows, UnaryOperator<Row> handOut, Runnable afterGet)
        implements Reads {

    /** What is there at a moment, and the time at which it is judged. */
    record Moment(TreeState data, long at) {}

    /** Looks at the data once for each read, because all that it finds is of one moment. */
    interface Sight {
        Moment at(long at);
    }

    private TreeReads reads(TreeState data) {
        return new TreeReads(() -> data, clock);
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        Row row = get(List.of(key), at).get(key);
        afterGet.run();
        return row;
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        Moment moment = sight.at(at);
        Map<RowKey, Row> found = reads(moment.data()).get(keys, moment.at());
        found.replaceAll((key, row) -> handOut.apply(row));
        return found;
    }

    @Override
    public RowPage page(Scan scan) {
        Moment moment = sight.at(scan.at());
        int limit = scan.isWhole() ? scan.limit() : Math.min(scan.limit(), pageRows);
        Scan part = new Scan(
                scan.order(), scan.groups(), scan.from(), scan.to(), scan.after(), scan.before(), moment.at(), limit);
        RowPage page = reads(moment.data()).page(part);
        List<Row> rows = page.rows().stream()
                .map(handOut)
                .map(row -> scan.isWhole() ? withValueOnly(row) : row)
                .toList();
        return new RowPage(rows, page.more(), false);
    }

    private static Row withValueOnly(Row row) {
        return new Row(row.key(), row.storedValue(), 0, 0, 0, Row.NEVER, row.damaged());
    }

    @Override
    public long count(Scan scan) {
        Moment moment = sight.at(scan.at());
        return reads(moment.data()).count(scan.at(moment.at()));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        Moment moment = sight.at(scan.at());
        return reads(moment.data()).groups(scan.at(moment.at()));
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        long at = scan.wanted() == ExpiryScan.Wanted.ALL ? ALL : NOW;
        return new TreeReads(() -> sight.at(at).data(), clock).expiring(scan);
    }
}
