package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.DeliveryReads;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.commit.CommitPipeline;

/** Bounds what is kept for subscribers whose handlers are not there: the oldest deliveries beyond the bound are dropped. */
final class MissingHandlers {

    private static final Logger log = LoggerFactory.getLogger(MissingHandlers.class);

    /**
     * How long a handler has to be missing before anything is dropped. An application takes its time to subscribe after a
     * start, and has ended its subscriptions before it closes the store: what a slow handler has left is not to go then.
     */
    private static final long GRACE_MILLIS = Duration.ofMinutes(5).toMillis();

    /** There is nothing to come back for. */
    static final long DONE = Long.MAX_VALUE;

    /** Counting is not free, and more than the bound may wait for a moment. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Dropped in one commit, so that others can write meanwhile. */
    private static final int TRIMMED_AT_ONCE = 10_000;

    private final DeliveryReads reads;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final int maxBacklog;
    private final LongSupplier nanoTime;
    private final long opened;
    private final Map<String, Long> ended = new ConcurrentHashMap<>();

    /** Used by the thread that trims alone. */
    private long lastLook;

    MissingHandlers(
            DeliveryReads reads, CommitPipeline pipeline, StoreClock clock, int maxBacklog, LongSupplier nanoTime) {
        this.reads = reads;
        this.pipeline = pipeline;
        this.clock = clock;
        this.maxBacklog = maxBacklog;
        this.opened = clock.now();
        this.nanoTime = nanoTime;
        this.lastLook = nanoTime.getAsLong() - LOOK_NANOS;
    }

    /** A subscriber has a handler no more. */
    void ended(String subscriber) {
        ended.put(subscriber, clock.now());
    }

    /**
     * Drops what is too much.
     *
     * @param subscribers those without a handler
     * @param counts where to count what is dropped
     * @return in how many nanoseconds to come back; {@link #DONE} if all have been looked at
     */
    long trim(List<String> subscribers, Function<String, DeliveryCounts> counts) {
        if (subscribers.isEmpty()) {
            return DONE;
        }
        long early = lastLook + LOOK_NANOS - nanoTime.getAsLong();
        if (early > 0) {
            return early;
        }
        lastLook = nanoTime.getAsLong();
        long wait = DONE;
        for (String subscriber : subscribers) {
            long graceLeft = graceLeft(subscriber);
            if (graceLeft > 0) {
                wait = Math.min(wait, TimeUnit.MILLISECONDS.toNanos(graceLeft));
            } else {
                trim(subscriber, counts.apply(subscriber));
            }
        }
        return wait;
    }

    private long graceLeft(String subscriber) {
        return Math.max(opened, ended.getOrDefault(subscriber, opened)) + GRACE_MILLIS - clock.now();
    }

    private void trim(String subscriber, DeliveryCounts counts) {
        long excess = reads.countPending(subscriber) - maxBacklog;
        if (excess > 0 && counts.dropped() == 0) {
            log.warn(
                    "More than {} expiries wait for the handler of the expiry subscriber '{}', which is missing;"
                            + " the oldest are dropped. Register the handler, or remove the subscriber if it is no"
                            + " longer needed",
                    maxBacklog,
                    subscriber);
        }
        while (excess > 0) {
            int limit = (int) Math.min(excess, TRIMMED_AT_ONCE);
            int trimmed = pipeline.ranges().deliveries(writes -> writes.trim(subscriber, limit, clock.now()));
            counts.dropped(trimmed);
            excess = trimmed < limit ? 0 : excess - trimmed;
        }
    }
}
