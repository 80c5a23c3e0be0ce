package dev.ttlstore.engine.support;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.exception.StoreClosedException;

/**
 * What an engine keeps in memory for a store that one process owns: the time, the sequence numbers, and the usage of namespaces.
 * It saves how far the time and the numbers have come. After a crash, the numbers continue after the last one that was set
 * aside, so none is used twice.
 *
 * <p>Any thread may use the clock. The one thread that writes uses everything else.
 *
 * @since 0.1
 */
public final class OwnerState {

    /** Numbers are set aside in blocks, so that not every commit has to save the last one. */
    private static final int SEQUENCE_BLOCK = 10_000;

    /** How far the saved time may lag behind, as long as there are commits. */
    private static final long TIME_LAG_MILLIS = 1_000;

    /** The sequence of a closed store. */
    private static final long CLOSED = Long.MIN_VALUE;

    private final SteadyClock clock;
    private final AtomicLong sequence;
    private final UsageLedger usage = new UsageLedger();
    private volatile HighWater saved;

    /** What to save on close; guarded by this. */
    private HighWater last;

    /**
     * Continues from the last saved state.
     *
     * @param saved the state; all zero for a new store
     * @param source the source of time
     */
    public OwnerState(HighWater saved, InstantSource source) {
        this.saved = saved;
        this.last = saved;
        this.clock = new SteadyClock(source, saved.time());
        this.sequence = new AtomicLong(saved.sequence());
    }

    /**
     * Returns the store's time.
     *
     * @return a clock that starts at the saved time at the earliest
     */
    public StoreClock clock() {
        return clock;
    }

    /**
     * Returns the usage of namespaces.
     *
     * @return the ledger
     */
    public UsageLedger usage() {
        return usage;
    }

    /**
     * Returns the next sequence number.
     *
     * @return a number that was never returned before
     * @throws StoreClosedException after {@link #close}, because the number could be used again after the next opening
     */
    public long next() {
        long next = sequence.incrementAndGet();
        if (next < 0) {
            throw new StoreClosedException();
        }
        return next;
    }

    /**
     * Returns how far the store has come.
     *
     * @return the last number that was used, and the time
     */
    public HighWater reached() {
        return new HighWater(sequence.get(), clock.now());
    }

    /**
     * Uses only numbers and times after those of another store from now on, whose rows were copied. The next commit has to save that.
     *
     * @param other how far the other store has come
     */
    public void continueAfter(HighWater other) {
        clock.advance(other.time());
        sequence.updateAndGet(used -> Math.max(used, other.sequence()));
    }

    /**
     * Returns the state that the current commit must save: if it has used numbers that are not set aside, or if it changes
     * something and the saved time is old.
     *
     * @param changing whether the commit changes anything
     * @return the state to save; null if none
     */
    public @Nullable HighWater due(boolean changing) {
        long used = sequence.get();
        if (used > saved.sequence()) {
            return new HighWater(used + SEQUENCE_BLOCK, clock.saved());
        }
        if (!changing) {
            return null;
        }
        long time = clock.saved();
        return Math.abs(time - saved.time()) >= TIME_LAG_MILLIS ? new HighWater(saved.sequence(), time) : null;
    }

    /**
     * Tests whether a state sets numbers aside that were not set aside before. Such a state must survive whatever ends the process
     * before the numbers are used.
     *
     * @param state a state that is {@linkplain #due due}
     * @return whether it does
     */
    public boolean setsAside(HighWater state) {
        return state.sequence() > saved.sequence();
    }

    /**
     * Ends the sequence, and returns the state to save when the store closes: the next opening continues without a gap.
     *
     * @return the last number that was used, and the time of the first call; later calls return the same
     */
    public synchronized HighWater close() {
        long used = sequence.getAndSet(CLOSED);
        if (used >= 0) {
            last = new HighWater(used, clock.saved());
        }
        return last;
    }

    /**
     * Notes that a state was committed.
     *
     * @param state the state
     */
    public void saved(HighWater state) {
        saved = state;
    }
}
