package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an application with stores of its own gets from the starter. */
@ExtendWith(OutputCaptureExtension.class)
class SeveralStoresTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return StarterRunner.at(folder).withBean(Told.class);
    }

    @Test
    void eachIsPurgedAndPublishesItsEvents(CapturedOutput output) {
        runner().withBean("first", Store.class, SeveralStoresTests::unpurged)
                .withBean("second", Store.class, SeveralStoresTests::unpurged)
                .withPropertyValues("store.purge-interval=20ms")
                .run(context -> {
                    for (Store store :
                            List.of(context.getBean("first", Store.class), context.getBean("second", Store.class))) {
                        store.group("group").put("key", "value", Duration.ofMillis(1));
                        await().until(() -> store.activity().purges() > 1);
                    }
                    assertThat(context.getBean(Told.class).keys).containsExactly("key", "key");
                    assertThat(output)
                            .contains("The application has a store of its own, [first, second]")
                            .contains("none is the primary one", "Mark one as @Primary");
                });
    }

    @Test
    void whatIsOfThePrimaryOneAloneIsSaid(CapturedOutput output) {
        runner().withUserConfiguration(WithPrimary.class)
                .run(context -> assertThat(output).contains("Of the stores [main, other], 'main' is the primary one"));
    }

    @Test
    void beansOfTheApplicationWithPlainNamesDoNotCollide() {
        runner().withBean("store", String.class, () -> "a shop")
                .withBean("storeMetrics", String.class, () -> "visitors")
                .withBean("storeEventPublisher", String.class, () -> "openings")
                .withBean("storePurgeJob", String.class, () -> "a cleaner")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Store.class));
    }

    @Test
    void aHealthOfTheApplicationThatTakesThePlaceOfTheStoresIsSaid(CapturedOutput output) {
        runner().withBean(
                        "storeHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean("storeHealthContributor");
                    assertThat(output).contains("'storeHealthIndicator' takes the place of the store's health");
                });
    }

    private static Store unpurged() {
        return Store.builder().inMemory().purgeInterval(Duration.ZERO).open();
    }

    static final class Told {

        private final List<String> keys = new CopyOnWriteArrayList<>();

        @EventListener
        void onPut(EntryPut event) {
            keys.add(event.key());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithPrimary {

        @Bean
        @Primary
        Store main() {
            return unpurged();
        }

        @Bean
        Store other() {
            return unpurged();
        }
    }
}
