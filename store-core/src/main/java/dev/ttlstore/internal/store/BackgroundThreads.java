package dev.ttlstore.internal.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.delivery.Deliveries;
import dev.ttlstore.internal.purge.ExpiryTimer;
import dev.ttlstore.internal.purge.PurgeSchedule;

/**
 * The threads that work for a store in the background.
 *
 * @param timer expires entries on time
 * @param deliveries delivers expired entries to handlers
 * @param schedule purges at intervals; null if the store has no purge thread
 */
record BackgroundThreads(
        ExpiryTimer timer, Deliveries deliveries, @Nullable PurgeSchedule schedule) {

    /** Starts threads that are gone or could not be started before, and throws if one is not running. */
    void requireRunning() {
        List<String> missing = ensureRunning(timer, deliveries);
        if (schedule != null && !schedule.ensureRunning()) {
            missing.add(PurgeSchedule.NAME);
        }
        if (!missing.isEmpty()) {
            throw new StoreException(
                    "Threads of the store are not running and cannot be started: " + String.join(", ", missing)
                            + "; expiry events are late or missing",
                    "Free memory, or allow more threads; if that does not help, restart the application",
                    null);
        }
    }

    /**
     * Starts the threads that expire and deliver if they are gone, and returns the names of those that should run and do not. Wakes the
     * deliveries, because a full heap may have kept a commit from doing so.
     */
    static List<String> ensureRunning(ExpiryTimer timer, Deliveries deliveries) {
        List<String> missing = new ArrayList<>();
        if (!timer.ensureRunning()) {
            missing.add(ExpiryTimer.NAME);
        }
        if (!deliveries.ensureRunning()) {
            missing.add(Deliveries.NAME);
        }
        return missing;
    }
}
