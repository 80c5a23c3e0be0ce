package dev.ttlstore.internal.delivery;

import java.util.concurrent.atomic.LongAdder;

/** What has become of a subscriber's deliveries since the store was opened. Thread-safe. */
public final class DeliveryCounts {

    private final LongAdder handled = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    DeliveryCounts() {}

    void noted(int handledNow, int failedNow) {
        handled.add(handledNow);
        failures.add(failedNow);
    }

    void dropped(int droppedNow) {
        dropped.add(droppedNow);
    }

    /**
     * How many the handler has dealt with.
     *
     * @return the count
     */
    public long handled() {
        return handled.sum();
    }

    /**
     * How many attempts of the handler have failed.
     *
     * @return the count
     */
    public long failures() {
        return failures.sum();
    }

    /**
     * How many were dropped because more waited for a missing handler than are kept.
     *
     * @return the count
     */
    public long dropped() {
        return dropped.sum();
    }
}
