package org.example.orders;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.stereotype.Component;

/** Counts visitors of the shop. Its bean is named {@code storeMetrics}. */
@Component
class StoreMetrics {

    private final AtomicInteger visitors = new AtomicInteger();

    int visit() {
        return visitors.incrementAndGet();
    }
}
