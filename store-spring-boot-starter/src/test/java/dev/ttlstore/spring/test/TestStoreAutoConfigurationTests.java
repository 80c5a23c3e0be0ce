package dev.ttlstore.spring.test;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.StoreStats;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.spring.SharedMetadata;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.encryption.StoreEncryptionAutoConfiguration;
import dev.ttlstore.spring.event.StoreEventAutoConfiguration;
import dev.ttlstore.spring.expiry.StoreExpiryAutoConfiguration;
import dev.ttlstore.spring.purge.StorePurgeAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What stands beside what the application brings. */
class TestStoreAutoConfigurationTests {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private ApplicationContextRunner starter() {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreEventAutoConfiguration.class,
                        StoreExpiryAutoConfiguration.class,
                        StorePurgeAutoConfiguration.class,
                        TaskSchedulingAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"));
    }

    private ApplicationContextRunner runner() {
        return starter()
                .withConfiguration(AutoConfigurations.of(TestStoreAutoConfiguration.class))
                .withPropertyValues("store.test.start-at=" + START);
    }

    @Test
    void aStoreOfTheApplicationIsReplacedByDefault() {
        runner().withUserConfiguration(OwnStore.class)
                .withBean(Path.class, () -> folder.resolve("own.db"))
                .run(context -> {
                    assertThat(context).hasSingleBean(Store.class).hasBean("own");
                    assertThat(context.getBean(Store.class).stats())
                            .extracting(StoreStats::path)
                            .isNull();
                    assertThat(folder).isEmptyDirectory();
                });
    }

    @Test
    void aStoreOfTheApplicationStaysOnRequestAndGoesByTheTestsTime() {
        runner().withUserConfiguration(OwnStore.class)
                .withBean(Path.class, () -> folder.resolve("own.db"))
                .withPropertyValues("store.test.replace=auto-configured")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(store.stats().path())
                            .isEqualTo(folder.toRealPath().resolve("own.db"));
                    store.group("config").put("banner", "hello", Duration.ofMinutes(1));
                    context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
                    assertThat(store.group("config").contains("banner")).isFalse();
                    assertThat(store.stats().expired()).isZero();
                });
    }

    @Test
    void theStartersStoreIsReplacedInBothCases() {
        for (String replace : new String[] {"any", "auto-configured"}) {
            runner().withPropertyValues("store.test.replace=" + replace).run(context -> {
                assertThat(context.getBean(Store.class).stats())
                        .extracting(StoreStats::path)
                        .isNull();
                assertThat(folder).isEmptyDirectory();
            });
        }
    }

    @Test
    void groupsAreEncryptedWithKeysOfTheTestsOwnAndNoKeysetIsMade() {
        runner().withConfiguration(AutoConfigurations.of(StoreEncryptionAutoConfiguration.class))
                .withPropertyValues(
                        "store.encryption.groups=secrets",
                        "store.encryption.keyset=" + folder.resolve("keyset.json"),
                        "store.encryption.create-keyset=true")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(ValueCipher.class);
                    Store store = context.getBean(Store.class);
                    Quota any = new Quota(0, 0, 1_000);
                    store.scope("acme", any).group("secrets").put("key", "value");
                    assertThat(store.scope("acme").usage().bytes()).isEqualTo(8);
                    store.group("secrets").put("key", "value");
                    assertThat(store.group("secrets").get("key")).contains("value");
                    assertThat(folder).isEmptyDirectory();
                });
    }

    @Test
    void aGroupThatIsEncryptedIsSoInTheTestsStore() {
        runner().withConfiguration(AutoConfigurations.of(StoreEncryptionAutoConfiguration.class))
                .withPropertyValues("store.encryption.groups=*:secrets")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.scope("acme", new Quota(0, 0, 1_000)).group("secrets").put("key", "value");
                    assertThat(store.scope("acme").usage().bytes()).isGreaterThan(8);
                });
    }

    @Test
    void eachOfSeveralStoresIsReplacedByOneOfItsOwn() {
        runner().withUserConfiguration(TwoStores.class)
                .withBean(Path.class, () -> folder.resolve("own.db"))
                .run(context -> {
                    Users users = context.getBean(Users.class);
                    users.store().group("config").put("key", "first", Duration.ofMinutes(1));
                    users.archive().group("config").put("key", "second", Duration.ofMinutes(1));
                    assertThat(users.store()).isSameAs(context.getBean("main"));
                    assertThat(users.store().group("config").get("key")).contains("first");
                    context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
                    assertThat(users.store().stats().expired()).isZero();
                    assertThat(users.archive().stats().expired()).isZero();
                    assertThat(folder).isEmptyDirectory();
                });
    }

    @Test
    void theStoreClosesWithTheContextAndAfterThoseWhoUseIt() {
        runner().withBean(LastWriter.class).run(context -> {
            Store store = context.getBean(Store.class);
            LastWriter writer = context.getBean(LastWriter.class);
            context.close();
            assertThat(writer.hasWritten).isTrue();
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
        });
    }

    @Test
    void theClockTakesThePlaceOfTheApplicationsPrimaryOne() {
        runner().withUserConfiguration(OwnClock.class).run(context -> {
            assertThat(context.getBean(InstantSource.class)).isInstanceOf(TestClock.class);
            assertThat(context.getBean(Clock.class)).isInstanceOf(TestClock.class);
            assertThat(context.getBean("ownClock")).isNotInstanceOf(TestClock.class);
            Store store = context.getBean(Store.class);
            store.group("config").put("banner", "hello", Duration.ofMinutes(1));
            assertThat(store.group("config").entry("banner").orElseThrow().expiresAt())
                    .isEqualTo(START.plusSeconds(60));
        });
    }

    @Test
    void theClockStartsNowUnlessSet() {
        Instant before = Instant.now().minusMillis(1);
        starter()
                .withConfiguration(AutoConfigurations.of(TestStoreAutoConfiguration.class))
                .run(context ->
                        assertThat(context.getBean(TestClock.class).instant()).isBetween(before, Instant.now()));
    }

    @Test
    void aStartThatIsNoInstantIsRefused() {
        runner().withPropertyValues("store.test.start-at=tomorrow")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("tomorrow"));
    }

    @Test
    void theClockMovesUnderLazyInitialization() {
        runner().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    context.getBean(TestClock.class).advance(Duration.ofMinutes(1));
                    assertThat(context.getBean(Store.class).count()).isZero();
                });
    }

    @Test
    void withoutSpringsTestSupportTheStarterIsTheSame() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.setClassLoader(
                    new FilteredClassLoader("org.springframework.test", "org.springframework.boot.test"));
            TestPropertyValues.of("store.path=" + folder.resolve("store.db")).applyTo(context);
            context.register(EmptyApplication.class);
            context.refresh();
            assertThat(context.getBean(Store.class).stats().path()).isEqualTo(folder.resolve("store.db"));
            assertThat(context.getBeanProvider(TestClock.class)).isEmpty();
        }
    }

    @EnableAutoConfiguration
    static class EmptyApplication {}

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {

        @Bean
        Store own(Path path, InstantSource clock) {
            return Store.builder().path(path).clock(clock).open();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoStores {

        @Bean
        @Primary
        Store main(Path path) {
            return Store.open(path);
        }

        @Bean
        @Qualifier("old")
        Store archive(Path path) {
            return Store.open(path);
        }

        @Bean
        Users users(Store store, @Qualifier("old") Store archive) {
            return new Users(store, archive);
        }
    }

    record Users(Store store, Store archive) {}

    @Configuration(proxyBeanMethods = false)
    static class OwnClock {

        @Bean
        @Primary
        Clock ownClock() {
            return Clock.systemUTC();
        }
    }

    static final class LastWriter implements AutoCloseable {

        private final Store store;
        private boolean hasWritten;

        LastWriter(Store store) {
            this.store = store;
        }

        @Override
        public void close() {
            store.group("config").put("last", "words");
            hasWritten = true;
        }
    }
}
