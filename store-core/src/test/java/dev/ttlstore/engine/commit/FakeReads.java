package dev.ttlstore.engine.commit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.tree.TreeReads;

/**
 * Reads the rows of a fake database.
 *
 * @param tree reads the data
 * @param time the time by which rows are judged, for the one that was asked for; it is asked before the data are looked at
 * @param pageRows how many rows a page of a scan has at most
 * @param afterGet called after each read of one row
 */
record FakeReads(TreeReads tree, LongUnaryOperator time, int pageRows, Runnable afterGet) implements Reads {

    @Override
    public @Nullable Row get(RowKey key, long at) {
        Row row = tree.get(key, time.applyAsLong(at));
        afterGet.run();
        return row;
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        return tree.get(keys, time.applyAsLong(at));
    }

    @Override
    public RowPage page(Scan scan) {
        RowPage page = tree.page(judged(scan));
        if (scan.isWhole() || page.rows().size() <= pageRows) {
            return page;
        }
        return new RowPage(page.rows().subList(0, pageRows), true, false);
    }

    @Override
    public long count(Scan scan) {
        return tree.count(judged(scan));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        return tree.groups(judged(scan));
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        return tree.expiring(scan);
    }

    private Scan judged(Scan scan) {
        return scan.at(time.applyAsLong(scan.at()));
    }
}
