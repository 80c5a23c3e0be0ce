package dev.ttlstore.spring.endpoint;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.Usage;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.endpoint.StoreEndpoint.GroupDescriptor;
import dev.ttlstore.spring.endpoint.StoreEndpoint.ScopeDescriptor;
import dev.ttlstore.spring.endpoint.StoreEndpoint.StoreDescriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

class StoreEndpointAutoConfigurationTests {

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(StoreEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=store");
    }

    @Test
    void theOverviewShowsWhatTheStoreHoldsAndHasDone() {
        runner().withPropertyValues("store.scopes.acme.quota.max-keys=5").run(context -> {
            Store store = context.getBean(Store.class);
            store.onExpired("away", "group", entry -> {}).close();
            store.group("config").put("marker-key", "marker-value");
            store.scope("acme").group("group").put("marker-key", "marker-value");
            StoreDescriptor shown = context.getBean(StoreEndpoint.class).store();
            assertThat(shown.contents().engine()).startsWith("SQLite");
            assertThat(shown.contents().path()).endsWith("store.db");
            assertThat(shown.contents().entries()).isEqualTo(2);
            assertThat(shown.contents().expired()).isZero();
            assertThat(shown.contents().fileBytes()).isPositive();
            assertThat(shown.activity().entries().created()).isEqualTo(2);
            assertThat(shown.groups()).containsExactly("acme:group", "config");
            assertThat(shown.moreGroups()).isFalse();
            assertThat(shown.scopes())
                    .containsExactly(entry("acme", new ScopeDescriptor(new Usage(1, 1, 22), new Quota(5, 0, 0))));
            assertThat(shown.subscribers()).singleElement().satisfies(subscriber -> assertThat(subscriber.name())
                    .isEqualTo("away"));
            assertThat(shown.toString()).doesNotContain("marker");
        });
    }

    @Test
    void groupsAreListedToABound() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            IntStream.range(0, 101).forEach(i -> store.group("group" + i).put("key", "value"));
            StoreDescriptor shown = context.getBean(StoreEndpoint.class).store();
            assertThat(shown.groups()).hasSize(100);
            assertThat(shown.moreGroups()).isTrue();
        });
    }

    @Test
    void aGroupShowsWhenItsEntriesEnd() {
        runner().withPropertyValues("store.groups.invites.metrics=true").run(context -> {
            Store store = context.getBean(Store.class);
            StoreEndpoint endpoint = context.getBean(StoreEndpoint.class);
            assertThat(endpoint.group("invites")).isNull();
            store.group("invites").put("marker-permanent", "marker");
            Map.of("a", 30, "b", 40, "c", 3_000, "d", 80_000, "e", 600_000, "f", 700_000)
                    .forEach((key, seconds) ->
                            store.group("invites").put("marker-" + key, "marker", Duration.ofSeconds(seconds)));
            GroupDescriptor shown = Objects.requireNonNull(endpoint.group("invites"));
            assertThat(shown.entries()).isEqualTo(7);
            assertThat(shown.permanent()).isEqualTo(1);
            assertThat(shown.expiring())
                    .containsExactly(
                            entry("within a minute", 2L),
                            entry("within an hour", 1L),
                            entry("within a day", 1L),
                            entry("within a week", 1L),
                            entry("later", 1L));
            assertThat(Objects.requireNonNull(shown.activity()).created()).isEqualTo(7);
            assertThat(shown.toString()).doesNotContain("marker");
        });
    }

    @Test
    void itPurgesAndDeletes() {
        runner().withPropertyValues("store.expiry.on-time=false", "store.purge.enabled=false")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    StoreEndpoint endpoint = context.getBean(StoreEndpoint.class);
                    store.group("group").put("expired", "value");
                    store.group("group").expireAllNow();
                    store.group("group").put("key", "value");
                    assertThat(endpoint.purge().removed()).isEqualTo(1);
                    assertThat(endpoint.delete("group").removed()).isEqualTo(1);
                    assertThat(endpoint.delete("group").removed()).isZero();
                    assertThat(store.count()).isZero();
                });
    }

    @Test
    void aGroupMayHaveSlashesInItsName() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            store.group("a/b/c").put("key", "value");
            StoreEndpoint endpoint = context.getBean(StoreEndpoint.class);
            assertThat(Objects.requireNonNull(endpoint.group("a", "b", "c")).name())
                    .isEqualTo("a/b/c");
            assertThat(endpoint.delete("a", "b", "c").removed()).isOne();
        });
    }

    @Test
    void aNameThatCannotBeIsABadRequest() {
        runner().run(context -> {
            StoreEndpoint endpoint = context.getBean(StoreEndpoint.class);
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.group("x".repeat(1_100)));
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> endpoint.delete("x".repeat(1_100)));
            // As when nothing follows the endpoint's own path.
            assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(endpoint::delete);
        });
    }

    @Test
    void itIsNotThereUnlessExposed() {
        StoreRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(StoreEndpointAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(StoreEndpoint.class));
    }

    @Test
    void itCanBeSwitchedOff() {
        runner().withPropertyValues("management.endpoint.store.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(StoreEndpoint.class));
    }

    @Test
    void theStarterWorksWithoutActuator() {
        runner().withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).hasSingleBean(Store.class).doesNotHaveBean("ttlStoreEndpoint"));
    }
}
