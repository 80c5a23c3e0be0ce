package dev.ttlstore.internal.cache;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * A cache of the rows that are read most. It never returns a row that is older than the last commit, however slow a
 * reader is. An expired row is the exception: it may stay after a purge has removed it.
 *
 * <p>Keys share stamps by their hash. A stamp counts the commits in progress that change one of its keys, and is
 * another number after each. A reader that finds no row takes the stamp, reads the engine, and keeps the row only
 * if the stamp counts none and is unchanged (a lease: Nishtala et al., Scaling Memcache at Facebook, NSDI 2013). The writer
 * first counts itself in the stamp, then removes the row, then lets the engine commit. If a reader checks the stamp too
 * early, the writer removes its row; if it checks later, it keeps none. The reader checks while the map holds its key,
 * so nothing comes between. It reads the engine before that, so nobody waits for a disk there.
 *
 * <p>Groups have stamps too, which each row remembers. When a group is cleared, a new stamp hides all of its rows at
 * once, without a walk to find them. They are evicted like any rows that nobody reads.
 *
 * <p>Of data that other processes change too, a row may be older than the last commit for as long as the engine's reports take.
 * Only {@link #recent} answers from such a cache: no write decides by it.
 */
final class NearCache implements RowCache {

    private static final int STRIPE_BITS = 12;
    private static final int STRIPES = 1 << STRIPE_BITS;

    /**
     * The size of a row apart from the chars of its names and its value: the row, its key, two strings, the headers of
     * three arrays, the objects that this class and Caffeine add, and its place in a hash table. Measured with 200,000
     * rows: 270 bytes, with compressed references; this adds a little for rounding. The name of a group is often
     * shared, but counted for each row.
     */
    private static final int OBJECTS = 288;

    /** The least number of rows of the largest size that fit. */
    private static final int LEAST_ROWS = 1_024;

    /** A value of this size may always be kept. */
    private static final int SMALL_VALUE = 16 * 1024;

    private final Cache<RowKey, Cached> rows;

    /** Whether other processes change the data, too. */
    private final boolean shared;

    /**
     * The size of the largest value that is kept. Of larger ones only few would fit, and each that is read in vain costs a copy, and
     * the places of many small rows.
     */
    private final long largestValue;

    /** What a stamp grows by when it becomes another one. Below that, it counts the commits in progress. */
    private static final long NEXT_STAMP = 1 << 16;

    /** What the end of a commit adds to the stamp that counts it. */
    private static final long RELEASE = NEXT_STAMP - 1;

    /** The stamps of keys, followed by those of groups. */
    private final AtomicLongArray stamps = new AtomicLongArray(2 * STRIPES);

    // Counted here, because Caffeine's statistics use the same adders and also read the system's time around each
    // load.
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    private record Cached(Row row, long groupStamp) {}

    NearCache(long maxBytes, boolean shared) {
        this.shared = shared;
        largestValue = Math.max(SMALL_VALUE, maxBytes / LEAST_ROWS);
        rows = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((RowKey key, Cached cached) -> weight(key, cached.row()))
                .evictionListener((@Nullable RowKey key, @Nullable Cached cached, RemovalCause cause) -> evicted(key))
                .executor(Runnable::run) // evicting costs less than waking a thread for it
                .build();
    }

    /** Fits an int: at most two bytes for each char of a name, and a value of a gigabyte. */
    static int weight(RowKey key, Row row) {
        return OBJECTS + Character.BYTES * (key.group().length() + key.key().length()) + row.storedValue().length;
    }

    @Override
    public @Nullable Row read(RowKey key, Reads engine) {
        if (shared) {
            return engine.get(key, Reads.ALL);
        }
        Row cached = kept(key);
        if (cached != null) {
            hits.increment();
            return cached;
        }
        misses.increment();
        int stripe = keyStripe(key);
        long stamp = stamps.get(stripe);
        long groupStamp = stamps.get(groupStripe(key.group()));
        Row row = engine.get(key, Reads.ALL);
        if (row != null && mayKeep(row) && isQuiet(stamp) && isQuiet(groupStamp)) {
            install(row, stripe, stamp, groupStamp);
        }
        return row;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A cached row counts while it is live by the latest time that the engine may have reached. Reads of one process never go
     * back: a row is replaced by a later version only. If what was read cannot be kept, or there is no row, what is cached is
     * dropped, and what others are about to keep: both may be older.
     */
    @Override
    public @Nullable Row recent(RowKey key, Engine engine) {
        long now =
                engine.latestNow(); // first: a row found later was not changed before the reports that this relies on
        Row cached = kept(key);
        if (cached != null && cached.isLiveAt(now)) {
            hits.increment();
            return cached;
        }
        misses.increment();
        int stripe = keyStripe(key);
        long stamp = stamps.get(stripe);
        long groupStamp = stamps.get(groupStripe(key.group()));
        Row row = engine.reads().get(key, Reads.NOW);
        boolean kept = row != null
                && engine.hasFollowed(row)
                && mayKeep(row)
                && isQuiet(stamp)
                && isQuiet(groupStamp)
                && replace(row, stripe, stamp, groupStamp);
        if (!kept) {
            drop(key);
        }
        return row;
    }

    /** Ends the leases, because a slow reader must not keep an earlier row than the one that is gone and that others have read. */
    private void evicted(@Nullable RowKey key) {
        evictions.increment();
        if (key != null) {
            bump(keyStripe(key));
        }
    }

    private boolean mayKeep(Row row) {
        return !row.damaged() && row.storedValue().length <= largestValue;
    }

    /** Keeps a row, or a later one. Returns whether it did: not if a change was reported meanwhile. */
    @SuppressWarnings("NullAway") // null tells Caffeine to keep nothing; NullAway does not see that
    private boolean replace(Row row, int stripe, long stamp, long groupStamp) {
        Cached kept = rows.asMap().compute(row.key(), (key, present) -> {
            if (present != null && present.row().version() > row.version()) {
                return present;
            }
            return stamps.get(stripe) == stamp ? new Cached(row, groupStamp) : null;
        });
        return kept != null;
    }

    @SuppressWarnings("NullAway") // null tells Caffeine to keep nothing; NullAway does not see that
    private void install(Row row, int stripe, long stamp, long groupStamp) {
        Cached unused = rows.get(row.key(), key -> stamps.get(stripe) == stamp ? new Cached(row, groupStamp) : null);
    }

    @Override
    public @Nullable Row peek(RowKey key) {
        return shared ? null : kept(key);
    }

    private @Nullable Row kept(RowKey key) {
        Cached cached = rows.getIfPresent(key);
        if (cached == null) {
            return null;
        }
        if (cached.groupStamp() == stamps.get(groupStripe(key.group()))) {
            return cached.row();
        }
        rows.asMap().remove(key, cached);
        return null;
    }

    @Override
    public Changes changes() {
        return new Announced();
    }

    /** What a writer has announced. */
    private final class Announced implements Changes {
        private final BitSet held = new BitSet(2 * STRIPES);
        private final List<Row> returning = new ArrayList<>();

        @Override
        public void change(RowKey key, @Nullable Row after) {
            hold(keyStripe(key));
            Cached before = rows.asMap().remove(key);
            // A row that nobody has read lately should not evict one that somebody has. And of shared data, a reader
            // may
            // have seen a later row of another process or of another writer.
            if (before != null && !shared && after != null && mayKeep(after)) {
                returning.add(after);
            }
        }

        @Override
        public void clear(String group) {
            hold(groupStripe(group));
        }

        @Override
        public void committed() {
            try {
                for (Row row : returning) {
                    int group = groupStripe(row.key().group());
                    long stamp = stamps.get(group);
                    rows.put(row.key(), new Cached(row, held.get(group) ? stamp + RELEASE : stamp));
                }
            } finally {
                release();
            }
        }

        @Override
        public void failed() {
            release();
        }

        private void hold(int stripe) {
            if (!held.get(stripe)) {
                held.set(stripe);
                long unused = stamps.incrementAndGet(stripe); // another process's change may be reported meanwhile
                // Removing a missing key from the map is an acquiring read, which could otherwise overtake the stamp.
                VarHandle.fullFence();
            }
        }

        private void release() {
            returning.clear();
            for (int stripe = held.nextSetBit(0); stripe >= 0; stripe = held.nextSetBit(stripe + 1)) {
                long unused = stamps.addAndGet(stripe, RELEASE);
            }
            held.clear();
        }
    }

    @Override
    public void drop(RowKey key) {
        bump(keyStripe(key));
        Cached unused = rows.asMap().remove(key);
    }

    @Override
    public void dropGroup(String group) {
        bump(groupStripe(group));
    }

    @Override
    public void dropAll() {
        for (int stripe = 0; stripe < 2 * STRIPES; stripe++) {
            bump(stripe);
        }
        rows.invalidateAll();
    }

    /** Ends the leases of a stripe. A commit in progress keeps its hold of it. */
    private void bump(int stripe) {
        long unused = stamps.addAndGet(stripe, NEXT_STAMP);
        VarHandle.fullFence(); // as in hold
    }

    @Override
    public Counts counts() {
        long bytes = rows.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        return new Counts(hits.sum(), misses.sum(), evictions.sum(), bytes);
    }

    private static boolean isQuiet(long stamp) {
        return (stamp & (NEXT_STAMP - 1)) == 0;
    }

    private static int keyStripe(RowKey key) {
        return stripe(key.hashCode());
    }

    private static int groupStripe(String group) {
        return STRIPES + stripe(group.hashCode());
    }

    /** Takes the upper bits of a product, which depend on all bits of the hash (Knuth, TAOCP 3, 6.4). */
    private static int stripe(int hash) {
        return (hash * 0x9E3779B9) >>> (Integer.SIZE - STRIPE_BITS);
    }
}
