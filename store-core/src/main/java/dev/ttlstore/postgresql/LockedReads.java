package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

/** Reads of a transaction. Each is announced before, to lock the slots of its groups or to remember them. */
final class LockedReads implements Reads {

    private final RowQueries queries;
    private final Consumer<GroupRange> before;

    LockedReads(RowQueries queries, Consumer<GroupRange> before) {
        this.queries = queries;
        this.before = before;
    }

    /** The same reads, which are not announced. */
    RowQueries unlocked() {
        return queries;
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        before.accept(GroupRange.only(key.group()));
        return queries.get(key, at);
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        keys.forEach(key -> before.accept(GroupRange.only(key.group())));
        return queries.get(keys, at);
    }

    @Override
    public RowPage page(Scan scan) {
        before.accept(scan.groups());
        return queries.page(scan);
    }

    @Override
    public long count(Scan scan) {
        before.accept(scan.groups());
        return queries.count(scan);
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        before.accept(scan.groups());
        return queries.groups(scan);
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        before.accept(scan.groups());
        return queries.expiring(scan);
    }
}
