package dev.ttlstore.spring.lock;

import java.util.concurrent.TimeUnit;

import org.example.shop.Reports;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.TestDatabase;

import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code @SchedulerLock} methods of two instances, with the property alone. */
class SchedulerLockTests {

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Locks {}

    @Tag("postgresql")
    @Test
    void oneInstanceRunsTheJob() {
        ApplicationContextRunner runner = StarterRunner.onPostgreSql(TestDatabase.freshName())
                .withUserConfiguration(Locks.class)
                .withBean(Reports.class)
                .withPropertyValues("store.lock-provider.enabled=true");
        runner.run(one -> runner.run(other -> {
            Reports running = one.getBean(Reports.class);
            Reports second = other.getBean(Reports.class);
            second.end().countDown();
            try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
                var first = executor.submit(() -> {
                    running.report();
                    return null;
                });
                assertThat(running.running().await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(one.getBean(Store.class)
                                .group(StoreLockProvider.GROUP)
                                .keys())
                        .containsExactly("nightly-report");
                second.report();
                assertThat(second.running().getCount())
                        .as("runs beside the other")
                        .isEqualTo(1);
                running.end().countDown();
                Object unused = first.get(20, TimeUnit.SECONDS);
            }
            second.report();
            assertThat(second.running().getCount()).as("runs afterwards").isZero();
        }));
    }
}
