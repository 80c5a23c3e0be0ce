package dev.ttlstore.postgresql;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.LeapWatch;
import dev.ttlstore.engine.support.SteadyClock;

/**
 * The server's time as this node knows it: the last time that the server has told, plus what has passed since then. It is never
 * behind a time that was told, and never runs backwards, unless that time is not {@linkplain ClockLeap#isBelievable believable} any more.
 * Thread-safe and lock-free.
 */
final class ServerClock implements StoreClock {

    /** Stands for a time that is not believed: before all others, but times can be subtracted from it without an overflow. */
    static final long LONG_AGO = Long.MIN_VALUE / 2;

    /** The time of a commit in the log {@code %1$s}, as far as it is {@linkplain ClockLeap#isBelievable believable}. */
    static final String AT =
            "(CASE WHEN %%1$s.at <= {now} + %d THEN %%1$s.at ELSE %d END)".formatted(ClockLeap.MOST_MILLIS, LONG_AGO);

    /** How long the best sample of the server's clock counts. */
    private static final long OFFSET_NANOS = Duration.ofSeconds(1).toNanos();

    /** For how long rows that this node keeps may be used although no changes of other nodes could be read. */
    private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final @Nullable InstantSource source;
    /** The latest time that the server has told. */
    private final AtomicLong reached = new AtomicLong(LONG_AGO);

    /** The latest time that this node has returned. */
    private final AtomicLong latest = new AtomicLong(LONG_AGO);

    private final LeapWatch leaps = new LeapWatch();

    private volatile Told told = new Told(0, System.nanoTime());

    /** What to add to this process's clock to get the server's, in microseconds. */
    private volatile long offset = Long.MIN_VALUE;

    private long nextOffset = Long.MIN_VALUE;
    private long offsetSince = System.nanoTime();

    /** The server's time when this node had last read all changes of the others; it may have been told later than that. */
    private volatile @Nullable Told followed;

    private record Told(long millis, long nanos) {
        private long now() {
            return millis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
        }
    }

    /**
     * Creates the clock.
     *
     * @param source replaces the server's time; null for the server's
     */
    ServerClock(@Nullable InstantSource source) {
        this.source = source;
    }

    /** Returns the latest time that may be right. */
    static long latestBelievable(long clock) {
        return clock + ClockLeap.MOST_MILLIS;
    }

    /**
     * Returns the time of a slot: its clock, or the time of its last commit if that is later and believable.
     *
     * @param clock the server's clock
     * @param at the time of the last commit
     */
    static long ofSlot(long clock, long at) {
        return ClockLeap.isBelievable(at, clock) ? Math.max(clock, at) : clock;
    }

    /**
     * Takes a time that the server has told just now.
     *
     * @return the time, or an earlier one that was later, because time never runs backwards on this node
     */
    long told(long millis) {
        if (source == null && Math.abs(told.now() - millis) > 1) {
            told = new Told(millis, System.nanoTime());
        }
        long time = reached.updateAndGet(before -> ofSlot(millis, before));
        long unused = reach(time);
        return time;
    }

    /**
     * Takes the server's clock as it was just now. An answer that has taken longer makes it look earlier, so the latest of the
     * last samples is the best one.
     */
    synchronized void heard(long micros) {
        long nanos = System.nanoTime();
        long sample = micros - TimeUnit.NANOSECONDS.toMicros(nanos);
        nextOffset = Math.max(nextOffset, sample);
        if (offset != Long.MIN_VALUE && !ClockLeap.isBelievable(offset / 1_000, sample / 1_000)) {
            offset = sample; // no answer takes a day: the clock was ahead
            nextOffset = sample;
        }
        if (nanos - offsetSince > OFFSET_NANOS) {
            offset = nextOffset;
            nextOffset = sample;
            offsetSince = nanos;
        } else if (sample > offset) {
            offset = sample;
        }
    }

    /** Returns an estimate of the server's clock in microseconds. It may step back as that clock does. */
    long micros() {
        return source == null
                ? TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) + offset
                : Sql.micros(SteadyClock.read(source));
    }

    /**
     * Notes that this node has reported all changes of other nodes that were committed before a moment.
     *
     * @param start the moment, as {@link System#nanoTime} tells it
     * @param millis a time that the server has told after that moment
     */
    void followed(long start, long millis) {
        followed = new Told(millis, start);
    }

    /** Returns the latest time that the server has told this node. */
    long reached() {
        return reached.get();
    }

    /** Returns how many milliseconds ago this node had read all changes of the others; {@link Long#MAX_VALUE} if never. */
    long behind() {
        Told last = followed;
        return last == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last.nanos());
    }

    /** Tests whether this node has read all changes of the others a short while ago. */
    boolean isFollowing() {
        Told last = followed;
        return last != null && isRecent(last);
    }

    private static boolean isRecent(Told last) {
        return System.nanoTime() - last.nanos() <= MAX_AGE_NANOS;
    }

    /**
     * Returns a time that the server has not passed, unless its clock was set; {@link Long#MAX_VALUE} if changes of other nodes
     * have not been read for too long.
     */
    long latestNow() {
        Told last = followed;
        if (last == null || !isRecent(last)) {
            return Long.MAX_VALUE;
        }
        // The server told its time after the moment from which this counts, so this is ahead of it. One more for
        // rounding,
        // and one for a clock that is adjusted.
        long now = source == null ? last.now() + 2 : SteadyClock.read(source);
        return Math.max(now, latest.get());
    }

    @Override
    public long now() {
        // After a leap was told, an older answer still says what the clock was before.
        long now = source == null ? ofSlot(told.now(), heardNow()) : SteadyClock.read(source);
        return reach(now);
    }

    /** Returns the estimate that is least late: the last answer may have taken longer than others. */
    private long heardNow() {
        return offset == Long.MIN_VALUE ? LONG_AGO : TimeUnit.MICROSECONDS.toMillis(micros());
    }

    /** Returns the latest time that this node has returned, or the present one if that is not believable any more. */
    private long reach(long now) {
        long before = latest.getAndUpdate(time -> ofSlot(now, time));
        if (before == LONG_AGO) {
            leaps.begin(now);
        } else {
            // The server's time, which the statements use, goes back in any case.
            boolean unused = leaps.follows(before, now);
        }
        return ofSlot(now, before);
    }

    /** Returns what watches the clock for leaps. */
    LeapWatch leaps() {
        return leaps;
    }

    @Override
    public @Nullable ClockLeap leap() {
        return leaps.leap();
    }

    @Override
    public void mended(ClockLeap leap, long entries) {
        leaps.mended(leap, entries, now());
    }
}
