package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.commit.CommitPipeline;

/** Limits the backlog of subscribers whose handlers are missing on every node, by dropping the oldest deliveries. */
final class BacklogLimit {

    private static final Logger log = LoggerFactory.getLogger(BacklogLimit.class);

    /**
     * How long a handler must be missing before deliveries are dropped. An application needs time to subscribe after
     * it has started. It also ends its subscriptions before it closes the store, and the backlog of a slow handler
     * must not be lost then.
     */
    private static final long GRACE_MILLIS = Duration.ofMinutes(5).toMillis();

    /** How often the backlog is counted. Counting costs time, and the backlog may exceed its limit for a moment. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many deliveries one commit drops, so that others can write meanwhile. */
    private static final int TRIMMED_AT_ONCE = 10_000;

    private final Deliveries deliveries;
    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final int maxBacklog;
    private final LongSupplier nanoTime;
    private final LongSupplier elapsed;
    private final long opened;

    /** Used only by the thread that trims. */
    private long lastLook;

    /**
     * Creates a limit.
     *
     * @param deliveries reads deliveries
     * @param pipeline takes writes
     * @param clock the store's time
     * @param maxBacklog how many deliveries of a missing handler are kept
     * @param nanoTime measures the time between two looks, whose cost counts for the machine
     * @param elapsed measures the time since the opening in nanoseconds; with a clock of the application by that
     */
    BacklogLimit(
            Deliveries deliveries,
            CommitPipeline pipeline,
            StoreClock clock,
            int maxBacklog,
            LongSupplier nanoTime,
            LongSupplier elapsed) {
        this.deliveries = deliveries;
        this.pipeline = pipeline;
        this.clock = clock;
        this.maxBacklog = maxBacklog;
        this.nanoTime = nanoTime;
        this.elapsed = elapsed;
        this.opened = elapsed.getAsLong();
        this.lastLook = nanoTime.getAsLong() - LOOK_NANOS;
    }

    /**
     * Drops the excess deliveries of subscribers without a handler.
     *
     * @param subscribers the subscribers without a handler on this node
     * @param counts returns the counts of a subscriber, to count dropped deliveries
     * @return in how many nanoseconds to call this again; {@link Leases#FOR_EVER} if all subscribers were checked
     */
    long trim(List<String> subscribers, Function<String, DeliveryCounts> counts) {
        if (subscribers.isEmpty()) {
            return Leases.FOR_EVER;
        }
        long early = lastLook + LOOK_NANOS - nanoTime.getAsLong();
        if (early > 0) {
            return early;
        }
        lastLook = nanoTime.getAsLong();
        long wait = Leases.FOR_EVER;
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
        long sinceOpening = TimeUnit.NANOSECONDS.toMillis(elapsed.getAsLong() - opened);
        long seen = deliveries.lastSeen(subscriber);
        long sinceSeen = seen == Deliveries.UNSEEN ? GRACE_MILLIS : clock.now() - seen;
        return GRACE_MILLIS - Math.min(sinceOpening, sinceSeen);
    }

    private void trim(String subscriber, DeliveryCounts counts) {
        long excess = deliveries.backlog(subscriber).pending() - maxBacklog;
        if (excess > 0 && counts.dropped().sum() == 0) {
            log.warn(
                    "More than {} expiries wait for the handler of the expiry subscriber '{}', which is missing;"
                            + " the oldest are dropped. Register the handler, or remove the subscriber if it is no"
                            + " longer needed",
                    maxBacklog,
                    Printable.of(subscriber));
        }
        while (excess > 0) {
            int limit = (int) Math.min(excess, TRIMMED_AT_ONCE);
            int trimmed = pipeline.run(new DeliveryCommand.Trim(subscriber, maxBacklog, limit, clock.now()));
            counts.dropped().add(trimmed);
            excess = trimmed < limit ? 0 : excess - trimmed;
        }
    }
}
