package dev.ttlstore.internal.delivery;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the outcomes of a subscriber's deliveries since the store was opened. Thread-safe.
 *
 * @param handled how many deliveries the handler has handled
 * @param failures how many attempts of the handler have failed
 * @param dropped how many deliveries were dropped, because too many waited for a missing handler
 */
public record DeliveryCounts(LongAdder handled, LongAdder failures, LongAdder dropped) {

    DeliveryCounts() {
        this(new LongAdder(), new LongAdder(), new LongAdder());
    }
}
