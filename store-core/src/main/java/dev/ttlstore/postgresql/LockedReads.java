package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.EngineReads;
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

/** Reads of a transaction, each of which is announced before: to lock the slots of its groups, or to remember them. */
final class LockedReads implements EngineReads {

    private final Reads reads;
    private final Consumer<GroupRange> before;

    LockedReads(Reads reads, Consumer<GroupRange> before) {
        this.reads = reads;
        this.before = before;
    }

    /** The same reads, which are not announced. */
    Reads unlocked() {
        return reads;
    }

    @Override
    public @Nullable Row read(RowKey key) {
        before.accept(GroupRange.only(key.group()));
        return reads.read(key);
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        keys.forEach(key -> before.accept(GroupRange.only(key.group())));
        return reads.read(keys);
    }

    @Override
    public RowPage scan(Scan scan) {
        before.accept(GroupRange.only(scan.group()));
        return reads.scan(scan);
    }

    @Override
    public RowPage created(AgeScan scan) {
        before.accept(GroupRange.only(scan.group()));
        return reads.created(scan);
    }

    @Override
    public List<KeyValue> readGroup(String group, long now) {
        before.accept(GroupRange.only(group));
        return reads.readGroup(group, now);
    }

    @Override
    public long count(Scan scan) {
        before.accept(GroupRange.only(scan.group()));
        return reads.count(scan);
    }

    @Override
    public long count(GroupRange groups, long now) {
        before.accept(groups);
        return reads.count(groups, now);
    }

    @Override
    public List<String> groups(GroupRange groups, String after, long now, int limit) {
        before.accept(groups);
        return reads.groups(groups, after, now, limit);
    }

    @Override
    public List<GroupUsage> usage(GroupRange groups) {
        before.accept(groups);
        return reads.usage(groups);
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        before.accept(scan.groups());
        return reads.expiries(scan);
    }

    @Override
    public List<Row> retained(RetainedScan scan) {
        before.accept(scan.groups());
        return reads.retained(scan);
    }

    @Override
    public List<RetainedGroup> retainedGroups(GroupRange groups, String after, int limit) {
        before.accept(groups);
        return reads.retainedGroups(groups, after, limit);
    }
}
