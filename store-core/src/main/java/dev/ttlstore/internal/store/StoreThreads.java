package dev.ttlstore.internal.store;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.commit.CommitListener;
import dev.ttlstore.internal.delivery.DeliveryService;
import dev.ttlstore.internal.purge.ExpiryTimer;
import dev.ttlstore.internal.purge.PurgeSchedule;

/**
 * The threads that work for a store in the background. Commits tell them what expires and what is to be delivered.
 *
 * @param timer expires entries on time
 * @param deliveries delivers expired entries to handlers
 * @param schedule purges at intervals
 */
record StoreThreads(ExpiryTimer timer, DeliveryService deliveries, PurgeSchedule schedule) implements CommitListener {

    @Override
    public void committed(long now, long earliestExpiry, boolean recorded) {
        timer.committed(now, earliestExpiry);
        if (recorded) {
            deliveries.wake();
        }
    }

    @Override
    public void lost() {
        deliveries.lost();
    }

    /**
     * Starts threads that are gone or could not be started before, and throws if one is not running, or if its work fails again and again.
     */
    void requireRunning() {
        requireNone(
                names(!timer.ensureRunning(), !deliveries.ensureRunning(), !schedule.ensureRunning()),
                "Threads of the store are not running and cannot be started",
                "Free memory, or allow more threads; if that does not help, restart the application");
        requireNone(
                names(timer.isFailing(), deliveries.isFailing(), schedule.isFailing()),
                "The work of threads of the store fails again and again",
                "Find the reason in the log; if it is gone, and this does not end, restart the application");
    }

    private static void requireNone(String threads, String problem, String remedy) {
        if (!threads.isEmpty()) {
            throw new StoreException(problem + ": " + threads + "; expiry events are late or missing", remedy, null);
        }
    }

    /**
     * Starts the threads that expire and deliver if they are gone. Wakes the deliveries, because a full heap may have kept a commit
     * from doing so.
     */
    static void revive(ExpiryTimer timer, DeliveryService deliveries) {
        boolean unusedTimer = timer.ensureRunning();
        boolean unusedDeliveries = deliveries.ensureRunning();
    }

    /** Returns the names of the threads that the arguments select, or an empty text. */
    private static String names(boolean ofTimer, boolean ofDeliveries, boolean ofSchedule) {
        return Stream.of(
                        ofTimer ? ExpiryTimer.NAME : "",
                        ofDeliveries ? DeliveryService.NAME : "",
                        ofSchedule ? PurgeSchedule.NAME : "")
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
