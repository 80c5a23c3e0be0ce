package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;

import dev.ttlstore.Store;
import dev.ttlstore.spring.health.StoreHealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StoreHealthContributorAutoConfigurationTests {

    @TempDir
    private Path folder;

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
                    .containsKey("engine")
                    .doesNotContainKeys("pending", "deadLetters");
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
                    .containsEntry("pending", 1L)
                    .containsEntry("deadLetters", 1L));
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
            assertThat(health(indicator).toString()).doesNotContain("marker");
        });
    }

    @Test
    void theStoreIsDownWhenItsFileIsGone() {
        StoreRunner.at(folder).run(context -> {
            Files.delete(folder.resolve("store.db"));
            Health health = health(context.getBean("storeHealthContributor", StoreHealthIndicator.class));
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails().get("error")).asString().contains("cannot be found any more");
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
