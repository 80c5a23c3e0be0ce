package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.StoreSteps;
import dev.ttlstore.spring.endpoint.StoreEndpoint;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an application with stores of its own gets from the starter. */
@Tag("variant")
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
                            .contains("The application declares its own store, [first, second]")
                            .contains("none is primary", "mark it as @Primary");
                });
    }

    @Test
    void whatIsOfThePrimaryOneAloneIsSaid(CapturedOutput output) {
        runner().withUserConfiguration(WithPrimary.class).run(context -> assertThat(output)
                .contains("Of the stores [main, other], 'main' is used for the endpoint"));
    }

    @ParameterizedTest
    @ValueSource(classes = {WithFallback.class, WithAnotherByQualifier.class, WithPrimary.class})
    void eachIsPurgedMonitoredAndPublishesItsEventsAlsoWhereOneIsChosen(Class<?> stores, CapturedOutput output) {
        runner().withUserConfiguration(stores)
                .withPropertyValues("store.purge-interval=20ms", "management.endpoints.web.exposure.include=store")
                .run(context -> {
                    assertThat(context).hasSingleBean(StoreEndpoint.class);
                    assertCaredFor(context, "main");
                    assertCaredFor(context, "other");
                    assertThat(output)
                            .contains("'main' is used for the endpoint")
                            .doesNotContain("none is primary");
                });
    }

    @Test
    void oneByQualifierStandsBesideTheOneOfTheStarter() {
        runner().withUserConfiguration(WithOneByQualifier.class)
                .withPropertyValues("invitations.path=" + folder.resolve("invitations.db"))
                .run(context -> {
                    assertThat(context.getBeanNamesForType(Store.class))
                            .hasSize(2)
                            .contains("invitations");
                    assertThat(context.getBean(Store.class)).isNotSameAs(context.getBean("invitations"));
                });
    }

    private static void assertCaredFor(ApplicationContext context, String name) {
        Store store = context.getBean(name, Store.class);
        List<String> told = context.getBean(Told.class).keys;
        store.group("group").put(name, "value");
        await().until(() -> store.activity().purges() > 1);
        assertThat(told).contains(name);
        assertThat(meters(context, name)).isNotEmpty();
        assertThat(health(context).getContributor(name)).isNotNull();
    }

    private static Collection<Meter> meters(ApplicationContext context, String name) {
        return context.getBean(MeterRegistry.class)
                .find("store.puts")
                .tag("name", name)
                .meters();
    }

    private static CompositeHealthContributor health(ApplicationContext context) {
        return context.getBean("storeHealthContributor", CompositeHealthContributor.class);
    }

    @Test
    void aLazyStoreBesideOthersIsLeftAloneAndTheLogSaysSo(CapturedOutput output) {
        runner().withUserConfiguration(WithLazy.class).run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("lazy")).isFalse();
            context.getBean("lazy", Store.class).group("group").put("key", "value");
            assertThat(context.getBean(Told.class).keys).isEmpty();
            assertThat(meters(context, "lazy")).isEmpty();
            assertThat(meters(context, "main")).isNotEmpty();
            assertThat(output)
                    .contains("ignores the stores [lazy], because they are lazy", "remove @Lazy")
                    .contains("Of the stores [main, other]");
        });
    }

    @Test
    void aStoreThatIsLazyAndAloneIsCaredFor(CapturedOutput output) {
        runner().withUserConfiguration(OnlyLazy.class).run(context -> {
            context.getBean("lazy", Store.class).group("group").put("key", "value");
            assertThat(context.getBean(Told.class).keys).containsExactly("key");
            assertThat(meters(context, "lazy")).isNotEmpty();
            assertThat(output).doesNotContain("The starter ignores");
        });
    }

    @Test
    void storesThatAreAllLazyWithNoneChosenAreAllLeftAlone(CapturedOutput output) {
        runner().withUserConfiguration(WithoutEager.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanFactory().containsSingleton("first")).isFalse();
            assertThat(output).contains("ignores the stores [first, second]");
        });
    }

    @Test
    void aStoreThatIsWrappedByAnotherIsLeftToThatAndTheLogSaysSo(CapturedOutput output) {
        runner().withUserConfiguration(WithTarget.class).run(context -> {
            context.getBean("main", Store.class).group("group").put("key", "value");
            assertThat(context.getBean(Told.class).keys).containsExactly("key");
            assertThat(meters(context, "target")).isEmpty();
            assertThat(output)
                    .contains("ignores the stores [target], because they are not singletons or not candidates")
                    .doesNotContain("Of the stores", "There are several stores");
        });
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
                    assertThat(output).contains("'storeHealthIndicator' replaces the health of the store");
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

    @Configuration(proxyBeanMethods = false)
    static class WithFallback {

        @Bean
        Store main() {
            return unpurged();
        }

        @Bean
        @Fallback
        Store other() {
            return unpurged();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAnotherByQualifier {

        @Bean
        Store main() {
            return unpurged();
        }

        @Bean(defaultCandidate = false)
        Store other() {
            return unpurged();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOneByQualifier {

        @Bean(defaultCandidate = false)
        Store invitations(@Value("${invitations.path}") Path file, CodecFactory codecs) {
            return Store.builder()
                    .path(file)
                    .codecs(codecs)
                    .purgeInterval(Duration.ZERO)
                    .open();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithLazy extends WithFallback {

        @Bean
        @Lazy
        @Fallback
        Store lazy() {
            return unpurged();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnlyLazy {

        @Bean
        @Lazy
        Store lazy() {
            return unpurged();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutEager {

        @Bean
        @Lazy
        Store first() {
            return unpurged();
        }

        @Bean
        @Lazy
        Store second() {
            return unpurged();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTarget {

        @Bean(autowireCandidate = false)
        Store target() {
            return unpurged();
        }

        @Bean
        Store main() {
            return StoreSteps.before(unpurged(), "close", () -> {});
        }
    }
}
