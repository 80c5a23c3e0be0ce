package dev.ttlstore.spring.health;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;

import dev.ttlstore.Store;
import dev.ttlstore.StoreStats;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.StoreSteps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class StoreHealthContributorAutoConfigurationTests {

    @TempDir
    private Path folder;

    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    @Test
    void theStoreIsUpWithItsPathAndCounts() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("marker-key", "marker-value");
            Health health = health(context.getBean("storeHealthContributor", StoreHealthIndicator.class));
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry(
                            "path", folder.toRealPath().resolve("store.db").toString())
                    .containsEntry("entries", 1L)
                    .containsEntry("expired", 0L)
                    .containsKeys("engine", "walSize", "lastPurge")
                    .doesNotContainKeys("pendingDeliveries", "deadLetters");
            assertThat(health.toString()).doesNotContain("marker");
        });
    }

    @Test
    void whatWaitsForSubscribersAndTheirDeadLettersAreToldAndNoReasonToBeDown() {
        StoreRunner.at(folder).withPropertyValues("store.expiry.max-attempts=1").run(context -> {
            Store store = context.getBean(Store.class);
            store.onExpired("marker-away", "waiting", entry -> {}).close();
            store.onExpired("marker-failing", "failing", entry -> {
                throw new IllegalStateException("marker-error");
            });
            for (String group : List.of("waiting", "failing")) {
                store.group(group).put("marker-key", "marker-value", Duration.ofMillis(1));
            }
            StoreHealthIndicator indicator = context.getBean("storeHealthContributor", StoreHealthIndicator.class);
            await().untilAsserted(() -> assertThat(health(indicator).getDetails())
                    .containsEntry("pendingDeliveries", 1L)
                    .containsEntry("deadLetters", 1L));
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
            assertThat(health(indicator).toString()).doesNotContain("marker");
        });
    }

    @Test
    void aMockThatAnswersWithStatsOnlyIsUpWithThose() {
        Store mock = mock(Store.class);
        when(mock.stats()).thenReturn(new StoreStats("an engine", null, 1, 2, 0, 0, 0, Duration.ZERO, null, null));
        Health health =
                health(new StoreHealthIndicator(mock, List.of("acme"), Duration.ofMinutes(1), () -> null, () -> null));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("entries", 1L).containsEntry("lastPurge", "not since the start");
    }

    @Test
    void aClockThatHasLeaptAheadIsReportedAndTheStoreIsUp() {
        Store mock = mock(Store.class);
        when(mock.stats())
                .thenReturn(
                        new StoreStats("an engine", null, 1, 2, 0, 0, 0, Duration.ZERO, Duration.ofDays(3_650), null));
        Health health = health(new StoreHealthIndicator(mock, List.of(), null, () -> null, () -> null));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("clockLead", Duration.ofDays(3_650).toString());
    }

    @Test
    void theStoreIsDownWhenItsFileIsGone() {
        StoreRunner.at(folder).run(context -> {
            Files.delete(folder.resolve("store.db"));
            Health health = health(context.getBean("storeHealthContributor", StoreHealthIndicator.class));
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails().get("error")).asString().contains("is no longer there");
        });
    }

    @Test
    void aStoreThatFailsItsCheckIsDownWithTheReasonAndTellsWhatItHoldsAllTheSame() {
        StoreRunner.at(folder)
                .withBean(
                        Store.class,
                        () -> StoreSteps.before(Store.inMemory(), "check", () -> {
                            throw new StoreException("The log cannot be folded into the file", "Free space", null);
                        }))
                .run(context -> {
                    context.getBean(Store.class).group("group").put("key", "value");
                    Health health = health(context.getBean("storeHealthContributor", StoreHealthIndicator.class));
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails().get("error"))
                            .asString()
                            .contains("The log cannot be folded into the file. Free space");
                    assertThat(health.getDetails())
                            .containsEntry("entries", 1L)
                            .containsKeys("path", "engine", "walSize", "lastPurge");
                });
    }

    @Test
    void aStoreThatCanDoNothingIsDownWithTheReasonAlone() {
        StoreRunner.at(folder).run(context -> {
            context.getBean(Store.class).close();
            Health health = health(context.getBean("storeHealthContributor", StoreHealthIndicator.class));
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsOnlyKeys("error");
        });
    }

    @Test
    void aPurgeThatIsLateByIntervalsIsTold() {
        StoreRunner.at(folder)
                .withPropertyValues("store.purge-interval=10m", "store.expiry.on-time=false")
                .withBean(InstantSource.class, () -> () -> now)
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    StoreHealthIndicator indicator =
                            context.getBean("storeHealthContributor", StoreHealthIndicator.class);
                    await().until(() -> store.activity().purges() > 0);
                    store.group("group").put("key", "value", Duration.ofMinutes(1));
                    now = now.plus(Duration.ofMinutes(31));
                    assertThat(health(indicator).getDetails())
                            .containsEntry("expired", 1L)
                            .containsEntry("lastPurge", "2030-01-01T00:00:00Z")
                            .doesNotContainKey("purgeOverdueBy");
                    now = now.plus(Duration.ofMinutes(1));
                    assertThat(health(indicator).getDetails()).containsEntry("purgeOverdueBy", "PT21M");
                    assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                    store.purgeExpired();
                    assertThat(health(indicator).getDetails()).doesNotContainKey("purgeOverdueBy");
                });
    }

    /** What has expired goes on time without it, but not what is kept for an audit. */
    @Test
    void aPurgeJobThatDoesNotRunIsToldThoughNothingHasExpired() {
        CountDownLatch held = new CountDownLatch(1);
        StoreRunner.at(folder)
                .withPropertyValues("store.purge-interval=10ms")
                .withBean(Store.class, () -> StoreSteps.before(Store.inMemory(), "purgeExpired", held::await))
                .run(context -> {
                    StoreHealthIndicator indicator =
                            context.getBean("storeHealthContributor", StoreHealthIndicator.class);
                    await().untilAsserted(() ->
                            assertThat(health(indicator).getDetails()).containsKey("purgeOverdueBy"));
                    assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                    held.countDown();
                    await().untilAsserted(() ->
                            assertThat(health(indicator).getDetails()).doesNotContainKey("purgeOverdueBy"));
                });
    }

    @Test
    void scopesNearTheirQuotaAreTold() {
        StoreRunner.at(folder)
                .withPropertyValues(
                        "store.scopes.acme.quota.max-keys=5",
                        "store.scopes.umbrella.quota.max-bytes=100B",
                        "store.scopes.free.quota.max-keys=0")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    StoreHealthIndicator indicator =
                            context.getBean("storeHealthContributor", StoreHealthIndicator.class);
                    for (String key : List.of("a", "b", "c")) {
                        store.scope("acme").group("group").put(key, "value");
                        store.scope("free").group("group").put(key, "value");
                    }
                    assertThat(health(indicator).getDetails()).doesNotContainKey("scopesNearQuota");
                    store.scope("acme").group("group").put("d", "value");
                    store.scope("umbrella").group("group").put("key", "x".repeat(88));
                    assertThat(health(indicator).getDetails())
                            .containsEntry("scopesNearQuota", Map.of("acme", "80%", "umbrella", "91%"));
                });
    }

    @Test
    void theCheckCanBeSwitchedOff() {
        StoreRunner.at(folder)
                .withPropertyValues("management.health.store.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
    }

    @Test
    void theStarterWorksWithoutHealth() {
        StoreRunner.at(folder)
                .withClassLoader(new FilteredClassLoader(HealthContributor.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .doesNotHaveBean("storeHealthContributor"));
    }

    private static Health health(StoreHealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health(true));
    }
}
