package dev.ttlstore.internal.access;

import java.lang.ref.Reference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.commit.PendingRenewals;

/**
 * Reads committed rows outside of transactions.
 *
 * <p>Of an engine that one process owns, rows come from the cache or the engine, and the store's clock judges them. Only this process
 * writes, so a reader that finds an entry expired waits for the store's own commit in progress if that renews the entry. An engine
 * on data of several processes judges rows itself, and the cache answers only who asks for a recent row.
 */
public final class StoreReads implements Reads {

    private final Engine engine;
    private final Reads rows;
    private final boolean isShared;
    private final RowCache cache;
    private final StoreClock clock;
    private final PendingRenewals renewals;
    private final Runnable rangeRead;
    private final @Nullable Object user;

    /**
     * Creates reads for the store's own work.
     *
     * @param engine reads rows
     * @param cache answers reads of frequently read rows
     * @param renewals the renewals of the commit in progress
     * @param rangeRead called before each read of a range of an engine that one process owns, which steps over the expired rows in
     *     it
     */
    public StoreReads(Engine engine, RowCache cache, PendingRenewals renewals, Runnable rangeRead) {
        this(engine, cache, renewals, rangeRead, null);
    }

    private StoreReads(
            Engine engine, RowCache cache, PendingRenewals renewals, Runnable rangeRead, @Nullable Object user) {
        this.engine = engine;
        this.rows = engine.reads();
        this.isShared = engine.info().isShared();
        this.cache = cache;
        this.clock = engine.clock();
        this.renewals = renewals;
        this.rangeRead = rangeRead;
        this.user = user;
    }

    /**
     * Returns the same reads for a user, who stays reachable to the end of each.
     *
     * @param newUser the user
     * @return the reads
     */
    StoreReads heldBy(Object newUser) {
        return new StoreReads(engine, cache, renewals, rangeRead, newUser);
    }

    @Override
    public @Nullable Row get(RowKey key, long at) {
        try {
            if (at == ALL) {
                return rows.get(key, ALL);
            }
            if (!isShared) {
                return own(key, at);
            }
            return at == RECENT ? cache.recent(key, engine) : rows.get(key, at);
        } finally {
            Reference.reachabilityFence(user);
        }
    }

    private @Nullable Row own(RowKey key, long at) {
        Row row = cache.read(key, rows);
        // The time is taken after the read, so a row that has expired meanwhile is not returned. But it may also have
        // been renewed meanwhile, in time. So a row counts as absent only if a second read finds it expired. That read
        // asks the engine, no matter where the first answer came from, and waits for a commit in progress that renews
        // the row.
        while (row != null && hasExpired(row)) {
            renewals.await(key, clock.now());
            Row again = rows.get(key, ALL);
            if (again == null) {
                cache.drop(key); // a purge has removed the row without a word to the cache
                return null;
            }
            if (again.version() == row.version() && again.expiresAt() == row.expiresAt()) {
                return null;
            }
            row = again;
        }
        return row == null || row.isLiveAt(at) ? row : null;
    }

    /**
     * Returns whether a row has expired. Reading the clock takes nearly half of a read from the cache, so a row that
     * does not expire skips it.
     */
    private boolean hasExpired(Row row) {
        return row.expiresAt() != Row.NEVER && !row.isLiveAt(clock.now());
    }

    @Override
    public Map<RowKey, Row> get(Collection<RowKey> keys, long at) {
        return held(() -> {
            if (isShared || at == ALL) {
                return rows.get(keys, at);
            }
            long now = clock.now(); // before the read, so that a renewal in time is not missed
            renewals.await(keys, now);
            return rows.get(keys, Math.max(at, now));
        });
    }

    @Override
    public RowPage page(Scan scan) {
        return held(() -> rows.page(judged(scan)));
    }

    @Override
    public long count(Scan scan) {
        return held(() -> rows.count(judged(scan)));
    }

    @Override
    public List<GroupInfo> groups(Scan scan) {
        return held(() -> rows.groups(judged(scan)));
    }

    /** Returns a scan with the time at which rows are live for it. */
    private Scan judged(Scan scan) {
        if (isShared || scan.at() == ALL) {
            return scan;
        }
        rangeRead.run();
        return scan.at(Math.max(scan.at(), now(scan.groups())));
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

    private <R> R held(Supplier<R> read) {
        try {
            return read.get();
        } finally {
            Reference.reachabilityFence(user);
        }
    }

    @Override
    public ExpiryWalk expiring(ExpiryScan scan) {
        return new Walk(scan, rows.expiring(isShared ? scan : scan.all()));
    }

    /** A walk that waits, before each page, for a commit in progress that renews one of its entries. */
    private final class Walk implements ExpiryWalk {
        private final ExpiryScan scan;
        private final ExpiryWalk walk;

        private Walk(ExpiryScan scan, ExpiryWalk walk) {
            this.scan = scan;
            this.walk = walk;
        }

        @Override
        public List<ExpiryRow> next() {
            return held(() -> {
                if (isShared) {
                    return walk.next();
                }
                long now = now(scan.groups());
                return walk.next().stream().filter(row -> scan.shows(row, now)).toList();
            });
        }

        @Override
        public Place reached() {
            return walk.reached();
        }
    }
}
