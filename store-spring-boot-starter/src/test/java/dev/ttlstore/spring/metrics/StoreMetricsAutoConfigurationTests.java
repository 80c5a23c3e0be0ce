package dev.ttlstore.spring.metrics;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.expiry.OnExpiry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class StoreMetricsAutoConfigurationTests {

    @TempDir
    private Path folder;

    private final MockClock clock = new MockClock();
    private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withConfiguration(
                        AutoConfigurations.of(MetricsAutoConfiguration.class, StoreMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> registry);
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauge(String name, String... tags) {
        clock.add(Duration.ofSeconds(10));
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void readsWritesAndRemovalsAreCounted() {
        runner().run(context -> {
            Group<String> group = context.getBean(Store.class).group("group");
            group.put("key", "value", Duration.ofMillis(1));
            group.put("deleted", "value");
            group.put("replaced", "value");
            group.put("replaced", "other");
            assertThat(group.delete("deleted")).isTrue();
            assertThat(group.get("replaced")).isPresent();
            assertThat(group.get("replaced")).isPresent();
            assertThat(group.get("absent")).isEmpty();
            assertThat(count("store.gets", "result", "hit", "name", "ttlStore")).isEqualTo(2);
            assertThat(count("store.gets", "result", "miss")).isEqualTo(1);
            assertThat(count("store.puts")).isEqualTo(4);
            assertThat(count("store.removals", "cause", "deleted")).isEqualTo(1);
            assertThat(count("store.removals", "cause", "replaced")).isEqualTo(1);
            assertThat(count("store.cache.gets", "result", "hit")).isEqualTo(1);
            assertThat(count("store.cache.gets", "result", "miss")).isPositive();
            assertThat(gauge("store.cache.size")).isPositive();
            await().untilAsserted(() ->
                    assertThat(count("store.removals", "cause", "expired")).isEqualTo(1));
        });
    }

    @Test
    void workIsTimed() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            store.group("group").put("key", "value");
            store.purgeExpired();
            assertThat(registry.get("store.writes").timer().count()).isEqualTo(1);
            assertThat(registry.get("store.commits").timer().count()).isPositive();
            assertThat(registry.get("store.commits").timer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(registry.get("store.commit.size").summary().max()).isEqualTo(1);
            assertThat(registry.get("store.purges").timer().count()).isPositive();
            assertThat(registry.get("store.purge.size").summary().count()).isPositive();
        });
    }

    @Test
    void whatTheStoreHoldsIsReadEveryTenSeconds() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            store.group("group").put("key", "value");
            assertThat(gauge("store.entries")).isEqualTo(1);
            store.group("group").put("other", "value");
            assertThat(registry.get("store.entries").gauge().value()).isEqualTo(1);
            assertThat(gauge("store.entries")).isEqualTo(2);
            assertThat(gauge("store.expired")).isZero();
            assertThat(gauge("store.file.size")).isPositive();
            assertThat(gauge("store.wal.size")).isPositive();
            assertThat(registry.get("store.purge.lag").timeGauge().value()).isZero();
            assertThat(count("store.puts")).isEqualTo(2);
            store.close();
            assertThat(gauge("store.entries")).isNaN();
            assertThat(count("store.puts")).isEqualTo(2);
        });
    }

    @Test
    void failuresDropsAndRefusalsAreCounted() {
        runner().withPropertyValues("store.scopes.acme.quota.max-keys=1").run(context -> {
            Store store = context.getBean(Store.class);
            store.onChange(event -> {
                throw new IllegalStateException("on purpose");
            });
            try (Watch watch = store.watch(WatchOptions.defaults().withCapacity(1))) {
                store.scope("acme").group("group").put("key", "value");
                store.group("group").put("key", "value");
                assertThatExceptionOfType(QuotaExceededException.class)
                        .isThrownBy(() -> store.scope("acme").group("group").put("other", "value"));
                assertThat(watch.dropped()).isEqualTo(1);
            }
            assertThat(count("store.quota.rejections")).isEqualTo(1);
            assertThat(count("store.listener.failures")).isEqualTo(2);
            assertThat(count("store.watch.drops")).isEqualTo(1);
            assertThat(registry.get("store.listener.running").timeGauge().value(TimeUnit.SECONDS))
                    .isZero();
            assertThat(count("store.unreadable")).isZero();
            assertThat(gauge("store.scope.usage", "scope", "acme", "resource", "keys"))
                    .isEqualTo(1);
            assertThat(gauge("store.scope.limit", "scope", "acme", "resource", "keys"))
                    .isEqualTo(1);
            assertThat(gauge("store.scope.usage", "scope", "acme", "resource", "bytes"))
                    .isEqualTo(8);
            assertThat(registry.find("store.scope.limit")
                            .tag("resource", "bytes")
                            .gauge())
                    .isNull();
        });
    }

    @Test
    void subscribersHaveMetersWhenTheyComeToBe() {
        runner().withPropertyValues("store.expiry.max-attempts=2", "store.expiry.first-delay=1ms")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.onExpired("failing", "group", entry -> {
                        throw new IllegalStateException("on purpose");
                    });
                    store.scope("acme").onExpired("working", "group", entry -> {});
                    store.scope("umbrella").onExpired("working", "group", entry -> {});
                    store.group("group").put("key", "value", Duration.ofMillis(1));
                    store.group("acme:group").put("key", "value", Duration.ofMillis(1));
                    store.group("umbrella:group").put("key", "value", Duration.ofMillis(1));
                    await().untilAsserted(() -> {
                        assertThat(gauge("store.entries")).isZero();
                        assertThat(gauge("store.expiry.dead.letters", "subscriber", "failing"))
                                .isEqualTo(1);
                        assertThat(count("store.expiry.handled", "subscriber", "working"))
                                .isEqualTo(2);
                    });
                    assertThat(count("store.expiry.failures", "subscriber", "failing"))
                            .isEqualTo(2);
                    assertThat(count("store.expiry.dropped", "subscriber", "failing"))
                            .isZero();
                    assertThat(gauge("store.expiry.pending", "subscriber", "failing"))
                            .isZero();
                    assertThat(registry.get("store.expiry.lag")
                                    .tag("subscriber", "failing")
                                    .timeGauge()
                                    .value())
                            .isZero();
                });
    }

    @Test
    void methodsHaveMetersFromTheFirstStartOn() {
        runner().withBean(Reminders.class).run(context -> assertThat(registry.find("store.expiry.lag")
                        .tag("subscriber", "reminders")
                        .timeGauge())
                .isNotNull());
    }

    static final class Reminders {

        @OnExpiry(subscriber = "reminders", group = "invites")
        void remind(String value) {}
    }

    @Test
    void aSubscriberFromBeforeHasItsLag() {
        StoreRunner.at(folder).run(context -> {
            Store store = context.getBean(Store.class);
            store.onExpired("away", "group", entry -> {}).close();
            store.group("group").put("key", "value", Duration.ofMillis(1));
            await().until(() -> store.expirySubscribers().get(0).pending() == 1);
        });
        runner().run(context -> {
            clock.add(Duration.ofMillis(System.currentTimeMillis() + 60_000));
            assertThat(gauge("store.expiry.pending", "subscriber", "away")).isEqualTo(1);
            assertThat(registry.get("store.expiry.lag").timeGauge().value(TimeUnit.SECONDS))
                    .isGreaterThan(50);
        });
    }

    @Test
    void aGroupIsMeasuredAsACacheWhenAskedFor() {
        runner().withPropertyValues("store.groups.invites.metrics=true").run(context -> {
            Group<String> invites = context.getBean(Store.class).group("invites");
            invites.put("key", "value", Duration.ofMillis(1));
            invites.put("other", "value");
            assertThat(invites.get("other")).isPresent();
            assertThat(invites.get("absent")).isEmpty();
            context.getBean(Store.class).group("others").put("key", "value");
            assertThat(count("cache.gets", "cache", "invites", "result", "hit")).isEqualTo(1);
            assertThat(count("cache.gets", "cache", "invites", "result", "miss"))
                    .isEqualTo(1);
            assertThat(count("cache.puts", "cache", "invites")).isEqualTo(2);
            await().untilAsserted(() ->
                    assertThat(count("cache.evictions", "cache", "invites")).isEqualTo(1));
            assertThat(registry.find("cache.puts").tag("cache", "others").meter())
                    .isNull();
        });
    }

    @Test
    void noMeterHasAKeyOrAValueAsTag() {
        runner().run(context -> {
            context.getBean(Store.class).group("marker-group").put("marker-key", "marker-value");
            assertThat(registry.getMeters())
                    .extracting(Meter::getId)
                    .filteredOn(id -> id.getName().startsWith("store."))
                    .hasSizeGreaterThan(15)
                    .allSatisfy(id -> assertThat(id.getTags())
                            .extracting(Tag::getValue)
                            .noneMatch(value -> value.contains("marker")));
        });
    }

    @Test
    void severalStoresAreToldApartByTheNamesOfTheirBeans() {
        runner().withBean("first", Store.class, Store::inMemory)
                .withBean("second", Store.class, Store::inMemory)
                .run(context -> {
                    context.getBean("second", Store.class).group("group").put("key", "value");
                    assertThat(count("store.puts", "name", "first")).isZero();
                    assertThat(count("store.puts", "name", "second")).isEqualTo(1);
                });
    }

    @Test
    void theStarterWorksWithoutMicrometer() {
        runner().withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasSingleBean(Store.class).doesNotHaveBean("ttlStoreMetrics"));
    }
}
