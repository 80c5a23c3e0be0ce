package dev.ttlstore.spring.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A scheduler whose threads an error ends while they wait, which no test can cause in a pool. */
class LastingTaskSchedulerTests {

    private final LastingTaskScheduler scheduler = new LastingTaskScheduler("test-");
    private final AtomicInteger created = new AtomicInteger();

    @AfterEach
    void close() {
        scheduler.shutdown();
    }

    @Test
    void aThreadThatDiesIsReplacedAsSoonAsThereIsMemory() {
        scheduler.setThreadFactory(work -> {
            if (created.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            return new Thread(work);
        });
        scheduler.initialize();
        assertThat(scheduler.getPoolSize()).isZero();
        scheduler.runAndReplace(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThat(scheduler.getPoolSize()).isEqualTo(1);
        assertThat(created).hasValue(2);
    }

    @Test
    void aThreadHasNothingOfTheCallerThatFirstNeedsIt() throws Exception {
        InheritableThreadLocal<String> context = new InheritableThreadLocal<>();
        scheduler.initialize();
        Thread caller = new Thread(() -> {
            context.set("the caller's");
            Thread.currentThread().setContextClassLoader(new ClassLoader("the caller's", null) {});
            scheduler.execute(() -> {});
        });
        caller.start();
        caller.join();
        assertThat(scheduler.submit(context::get).get(10, TimeUnit.SECONDS)).isNull();
        assertThat(scheduler
                        .submit(() -> Thread.currentThread().getContextClassLoader())
                        .get(10, TimeUnit.SECONDS))
                .isSameAs(Thread.currentThread().getContextClassLoader());
    }

    @Test
    void aThreadThatEndsWithItsSchedulerIsNot() {
        scheduler.initialize();
        scheduler.runAndReplace(() -> {});
        assertThat(scheduler.getPoolSize()).isZero();
    }
}
