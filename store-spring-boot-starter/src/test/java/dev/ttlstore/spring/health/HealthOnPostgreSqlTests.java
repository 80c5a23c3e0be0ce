package dev.ttlstore.spring.health;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import dev.ttlstore.SharedStats;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.endpoint.StoreEndpoint;
import dev.ttlstore.spring.metrics.StoreMetrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What health, metrics and the endpoint say of a store in the database, also when the server is away. */
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
class HealthOnPostgreSqlTests extends PostgreSqlApplication {

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean("storeHealthContributor", StoreHealthIndicator.class)
                .health(true));
    }

    @Test
    void healthAndEndpointShowNeitherTheAddressOfTheServerNorAFile() {
        runner().withPropertyValues("management.endpoints.web.exposure.include=store")
                .run(context -> {
                    assertWorks(store(context));
                    Health health = health(context);
                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("entries", 1L)
                            .containsKeys("engine", "expired", "lastPurge")
                            .doesNotContainKeys("path", "walSize");
                    StoreEndpoint.StoreDescriptor shown =
                            context.getBean(StoreEndpoint.class).store();
                    assertThat(shown.contents().path()).isNull();
                    assertThat(shown.groups()).containsExactly("config");
                    assertThat(health + " " + shown).doesNotContain("jdbc:", "localhost", TestDatabase.USER);
                });
    }

    @Test
    void healthMetricsAndEndpointShowTheOtherInstances() {
        ApplicationContextRunner instance =
                runner().withPropertyValues("management.endpoints.web.exposure.include=store");
        instance.run(one -> instance.run(other -> {
            await().until(() -> Objects.equals(health(one).getDetails().get("otherNodes"), 1));
            assertThat(health(one).getDetails())
                    .containsKeys("node", "notified", "lag", "oldestSnapshot")
                    .doesNotContainEntry("node", health(other).getDetails().get("node"));
            SharedStats shown = Objects.requireNonNull(
                    one.getBean(StoreEndpoint.class).store().contents().shared());
            assertThat(shown.node())
                    .hasToString((String) health(one).getDetails().get("node"));
            store(one).transact(work -> {
                work.group("config").put("key", "value");
                return work.group("config").delete("key");
            });
            MeterRegistry registry = new SimpleMeterRegistry();
            new StoreMetrics(store(one), Tags.empty(), List.of()).bindTo(registry);
            assertThat(registry.get("store.entries").gauge().value())
                    .isZero(); // the first reading finds out where it is
            assertThat(registry.get("store.nodes.other").gauge().value()).isEqualTo(1);
            assertThat(registry.get("store.log.lag").timeGauge().value(TimeUnit.SECONDS))
                    .isBetween(0.0, 60.0);
            assertThat(registry.get("store.snapshot.oldest").timeGauge().value())
                    .isNotNegative();
            assertThat(registry.get("store.updates.hot").gauge()).isNotNull();
            assertThat(registry.get("store.commits.locked")
                            .tag("reason", "caller-code")
                            .functionCounter()
                            .count())
                    .isPositive();
        }));
    }

    @Test
    void theStoreIsDownWithoutItsAddressIfTheServerIsAway() {
        runner().withUserConfiguration(Severed.class).run(context -> {
            context.getBean(Cut.class).cut = true;
            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.toString()).doesNotContain("jdbc:", "localhost", "secret");
            context.getBean(Cut.class).cut = false;
        });
    }

    @Test
    void aHealthCheckWaitsOnceForAPoolWithoutConnectionsAndIsSaidInOneLine(CapturedOutput output) {
        runner().withUserConfiguration(Severed.class).run(context -> {
            Cut pool = context.getBean(Cut.class);
            pool.patience = Duration.ofMillis(20);
            pool.cut = true;
            int before = output.getAll().length();
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(pool.refusals).hasValue(1);
            assertThat(health(context).getDetails()).containsOnlyKeys("error");
            assertThat(pool.refusals).hasValue(2);
            pool.cut = false;
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(output.getAll().substring(before))
                    .containsOnlyOnce("The store fails its health check: ")
                    .containsOnlyOnce("The store passes its health check again")
                    .doesNotContain("ERROR", "\tat ");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Severed {

        @Bean
        Cut cut() {
            return new Cut();
        }
    }

    /** Hands out no more connections on demand, and then says what nobody should read in a health report. */
    static final class Cut extends DelegatingDataSource {

        private final Thread caller = Thread.currentThread();
        private final AtomicInteger refusals = new AtomicInteger();
        private volatile Duration patience = Duration.ZERO;
        private volatile boolean cut;

        Cut() {
            super(TestDatabase.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (cut) {
                if (Thread.currentThread() == caller) { // the store's threads ask, too
                    refusals.incrementAndGet();
                }
                LockSupport.parkNanos(patience.toNanos());
                throw new SQLException("jdbc:postgresql://localhost?password=secret", "08001");
            }
            return super.getConnection();
        }
    }
}
