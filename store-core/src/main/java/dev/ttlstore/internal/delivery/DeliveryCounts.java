package dev.ttlstore.internal.delivery;

import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of a subscriber's deliveries since the store was opened. Thread-safe. */
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
     * Returns how many deliveries the handler has handled.
     *
     * @return the count
     */
    public long handled() {
        return handled.sum();
    }

    /**
     * Returns how many attempts of the handler have failed.
     *
     * @return the count
     */
    public long failures() {
        return failures.sum();
    }

    /**
     * Returns how many deliveries were dropped, because too many waited for a missing handler.
     *
     * @return the count
     */
    public long dropped() {
        return dropped.sum();
    }
}
