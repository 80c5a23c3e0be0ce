package org.example.shop;

import java.util.concurrent.CountDownLatch;

import org.springframework.scheduling.annotation.Scheduled;

import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

/** A job that one instance runs at a time. */
public class Reports {

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    /** Opens when the job runs. */
    public CountDownLatch running() {
        return running;
    }

    /** Lets the job end. */
    public CountDownLatch end() {
        return end;
    }

    @Scheduled(cron = "0 0 3 * * *")
    @SchedulerLock(name = "nightly-report", lockAtMostFor = "30m")
    public void report() throws InterruptedException {
        running.countDown();
        end.await();
    }
}
