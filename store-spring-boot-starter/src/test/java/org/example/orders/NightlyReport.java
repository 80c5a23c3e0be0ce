package org.example.orders;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class NightlyReport {

    private final AtomicInteger runs = new AtomicInteger();

    @Scheduled(fixedDelayString = "${orders.report-interval}")
    void write() {
        runs.incrementAndGet();
    }

    int runs() {
        return runs.get();
    }
}
