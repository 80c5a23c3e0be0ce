package dev.ttlstore.internal.access;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.Engine;
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
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.PendingRenewals;

/**
 * Reads for an engine that one process owns: rows come from the cache or the engine, and the store's clock judges them. Only
 * this process writes, so a reader that finds an entry expired waits for the store's own commit in progress if that renews
 * the entry.
 */
public final class StoreReads implements LiveReads {

    private final Engine engine;
    private final RowCache cache;
    private final StoreClock clock;
    private final PendingRenewals renewals;
    private final Runnable rangeRead;

    /**
     * Creates the reads.
     *
     * @param engine reads rows
     * @param cache answers reads of frequently read rows
     * @param clock the store's time
     * @param renewals the renewals of the commit in progress
     * @param rangeRead called before each read of a range, which steps over the expired rows in it
     */
    public StoreReads(Engine engine, RowCache cache, StoreClock clock, PendingRenewals renewals, Runnable rangeRead) {
        this.engine = engine;
        this.cache = cache;
        this.clock = clock;
        this.renewals = renewals;
        this.rangeRead = rangeRead;
    }

    @Override
    public @Nullable Row read(RowKey key) {
        Row row = cache.read(key, engine);
        // The time is taken after the read, so a row that has expired meanwhile is not returned. But it may also have
        // been renewed meanwhile, in time. So a row counts as absent only if a second read finds it expired. That read
        // asks the engine, no matter where the first answer came from, and waits for a commit in progress that renews
        // the row.
        while (row != null && hasExpired(row)) {
            renewals.await(key, clock.now());
            Row again = engine.read(key);
            if (again == null) {
                cache.drop(key); // a purge has removed the row without a word to the cache
                return null;
            }
            if (again.version() == row.version() && again.expiresAt() == row.expiresAt()) {
                return null;
            }
            row = again;
        }
        return row;
    }

    /**
     * Returns whether a row has expired. Reading the clock takes nearly half of a read from the cache, so a row that
     * does not expire skips it.
     */
    private boolean hasExpired(Row row) {
        return row.expiresAt() != Row.NEVER && !row.isLiveAt(clock.now());
    }

    @Override
    public Map<RowKey, Row> read(Collection<RowKey> keys) {
        long now = clock.now(); // before the read, so that a renewal in time is not missed
        renewals.await(keys, now);
        Map<RowKey, Row> rows = engine.read(keys);
        rows.values().removeIf(row -> !row.isLiveAt(now));
        return rows;
    }

    /** Begins a read of a range, and returns the time at which entries are live for it. */
    private long begin(GroupRange groups) {
        rangeRead.run();
        return now(groups);
    }

    /**
     * Returns the time at which entries are live for a read that starts now. No entry that has expired by then is
     * being renewed.
     */
    private long now(GroupRange groups) {
        long now = clock.now();
        renewals.await(groups, now);
        return now;
    }

    @Override
    public List<KeyValue> readGroup(String group) {
        return engine.readGroup(group, begin(GroupRange.only(group)));
    }

    @Override
    public RowPage scan(Scan scan) {
        return engine.scan(scan.with(begin(GroupRange.only(scan.group())), scan.limit()));
    }

    @Override
    public RowPage created(AgeScan scan) {
        return engine.created(scan.at(begin(GroupRange.only(scan.group()))));
    }

    @Override
    public long count(GroupRange groups, long at) {
        return engine.count(groups, Math.max(at, begin(groups)));
    }

    @Override
    public long count(Scan scan) {
        long at = Math.max(scan.now(), begin(GroupRange.only(scan.group())));
        return engine.count(scan.with(at, scan.limit()));
    }

    @Override
    public List<String> groups(GroupRange groups, String after, int limit) {
        return engine.groups(groups, after, begin(groups), limit);
    }

    @Override
    public ExpiryWalk expiries(ExpiryScan scan) {
        return new JudgedWalk(scan.groups(), engine.expiries(scan), true);
    }

    @Override
    public ExpiryWalk expired(ExpiryScan scan) {
        return new JudgedWalk(scan.groups(), engine.expiries(scan), false);
    }

    /** A walk that waits, before each page, for a commit in progress that renews one of its entries. */
    private final class JudgedWalk implements ExpiryWalk {
        private final GroupRange groups;
        private final ExpiryWalk walk;
        private final boolean live;

        private JudgedWalk(GroupRange groups, ExpiryWalk walk, boolean live) {
            this.groups = groups;
            this.walk = walk;
            this.live = live;
        }

        @Override
        public List<ExpiryRow> next() {
            long now = now(groups);
            return walk.next().stream()
                    .filter(row -> row.expiresAt() > now == live)
                    .toList();
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
}
