package dev.ttlstore.sqlite;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

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
import dev.ttlstore.engine.support.ExpiryIndexWalk;

/**
 * Reads committed rows through the sessions for readers. Each read takes one of them, and gives it back. Thread-safe.
 *
 * @param pool the sessions for readers
 */
record PooledReads(SessionPool pool) implements Reads {

    @Override
    public @Nullable Row get(RowKey key, long at) {
        return pool.<@Nullable Row>with(session -> session.reads().get(key, at));
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        return pool.with(session -> session.inSnapshot(() -> session.reads().get(keys, at)));
    }

    @Override
    public RowPage page(Scan scan) {
        return pool.with(session -> session.reads().page(scan));
    }

    @Override
    public long count(Scan scan) {
        return pool.with(session -> session.reads().count(scan));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        return pool.with(session -> session.reads().groups(scan));
    }

    /** Takes a session for each page. */
    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        return new ExpiryIndexWalk(last -> pool.with(session -> session.reads().due(scan, last)), scan.pageSize());
    }

    /** Counts the rows of groups, live or expired. */
    List<GroupUsage> usage(GroupRange groups) {
        return pool.with(session -> session.reads().usage(groups));
    }
}
