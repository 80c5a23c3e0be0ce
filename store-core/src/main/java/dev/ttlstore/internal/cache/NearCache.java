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

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The rows that are read most, in memory, and never one that is older than the last commit, however slow a reader is.
 *
 * <p>Keys share stamps by their hash. A stamp is odd while a commit that changes one of its keys is under way, and afterwards
 * another even number. A reader that finds nothing takes the stamp, reads the engine, and keeps what it has read only if the
 * stamp is even and still the same (a lease: Nishtala et al., Scaling Memcache at Facebook, NSDI 2013). The writer first makes
 * the stamp odd, then removes the row, then has the engine commit: who looks at the stamp too early has its row removed, who
 * looks at it later keeps none. The reader looks while the map holds its key, so there is nothing in between, and reads the
 * engine before that, so nobody waits for a disk there.
 *
 * <p>Groups have stamps too, which each row remembers: when a group is cleared, a new stamp takes all of its rows out of sight
 * at once, without a walk to find them. They make room as any row does that nobody reads.
 */
final class NearCache implements RowCache {

    private static final int STRIPE_BITS = 12;
    private static final int STRIPES = 1 << STRIPE_BITS;

    /**
     * What a row takes beside the chars of its names and its value: the row, its key, two strings, the headers of three
     * arrays, what this class and Caffeine put around it, and its place in a hash table. Measured with 200,000 rows: 270
     * bytes, with compressed references; a little more for what is rounded up. The name of a group is often shared, and
     * still counted for each row.
     */
    private static final int OBJECTS = 288;

    private final Cache<RowKey, Cached> rows;

    /** Those of keys, and behind them those of groups. */
    private final AtomicLongArray stamps = new AtomicLongArray(2 * STRIPES);

    // Counted here: the statistics of Caffeine use the same adders, and ask the system for the time around each load as
    // well.
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();

    // Guarded by the writer's lock: the commit at hand.
    private final BitSet held = new BitSet(2 * STRIPES);
    private final List<Row> returning = new ArrayList<>();

    private record Cached(Row row, long groupStamp) {}

    NearCache(long maxBytes) {
        rows = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((RowKey key, Cached cached) -> weight(key, cached.row()))
                .evictionListener((key, cached, cause) -> evictions.increment())
                .executor(Runnable::run) // to evict takes less than to wake a thread for it
                .build();
    }

    /** At most two bytes for each char of a name, and a value of a gigabyte: it fits an int. */
    static int weight(RowKey key, Row row) {
        return OBJECTS + Character.BYTES * (key.group().length() + key.key().length()) + row.value().length;
    }

    @Override
    public @Nullable Row read(RowKey key, EngineReads engine) {
        Row cached = peek(key);
        if (cached != null) {
            hits.increment();
            return cached;
        }
        misses.increment();
        int stripe = keyStripe(key);
        long stamp = stamps.get(stripe);
        long groupStamp = stamps.get(groupStripe(key.group()));
        Row row = engine.read(key);
        if (row != null && isQuiet(stamp) && isQuiet(groupStamp)) {
            install(row, stripe, stamp, groupStamp);
        }
        return row;
    }

    @SuppressWarnings("NullAway") // Caffeine takes null for "keep nothing", and says so where NullAway does not look
    private void install(Row row, int stripe, long stamp, long groupStamp) {
        Cached unused = rows.get(row.key(), key -> stamps.get(stripe) == stamp ? new Cached(row, groupStamp) : null);
    }

    @Override
    public @Nullable Row peek(RowKey key) {
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
    public void change(RowKey key, @Nullable Row after) {
        hold(keyStripe(key));
        Cached before = rows.asMap().remove(key);
        // A row that nobody has read lately need not push out one that somebody has.
        if (before != null && after != null) {
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
                long groupStamp = stamps.get(groupStripe(row.key().group()));
                rows.put(row.key(), new Cached(row, isQuiet(groupStamp) ? groupStamp : groupStamp + 1));
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
            stamps.set(stripe, stamps.get(stripe) + 1);
            // Removing a key that the map does not have is an acquiring read, which could otherwise overtake the stamp.
            VarHandle.fullFence();
        }
    }

    private void release() {
        returning.clear();
        for (int stripe = held.nextSetBit(0); stripe >= 0; stripe = held.nextSetBit(stripe + 1)) {
            stamps.set(stripe, stamps.get(stripe) + 1);
        }
        held.clear();
    }

    @Override
    public CacheCounts counts() {
        long bytes = rows.policy().eviction().orElseThrow().weightedSize().orElseThrow();
        return new CacheCounts(hits.sum(), misses.sum(), evictions.sum(), bytes);
    }

    private static boolean isQuiet(long stamp) {
        return (stamp & 1) == 0;
    }

    private static int keyStripe(RowKey key) {
        return stripe(key.hashCode());
    }

    private static int groupStripe(String group) {
        return STRIPES + stripe(group.hashCode());
    }

    /** Takes the upper bits of a product, into which all bits of the hash have gone (Knuth, TAOCP 3, 6.4). */
    private static int stripe(int hash) {
        return (hash * 0x9E3779B9) >>> (Integer.SIZE - STRIPE_BITS);
    }
}
