package dev.ttlstore.spring.observation;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.TargetClassAware;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** One property makes the calls of the application's stores observations. */
@ExtendWith(OutputCaptureExtension.class)
class StoreObservationAutoConfigurationTests {

    private static final String ON = "store.observations.enabled=true";

    /** The purge job would call the store, too. */
    private static final String[] WITHOUT_FILE = {"store.in-memory=true", "store.purge.enabled=false"};

    @TempDir
    private Path folder;

    private final TestObservationRegistry registry = TestObservationRegistry.create();

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.at(folder)
                .withPropertyValues(WITHOUT_FILE)
                .withPropertyValues(properties)
                .withBean(ObservationRegistry.class, () -> registry);
    }

    @Test
    void whileTheyAreOffTheStoreIsTheOneThatWasOpened() {
        Store own = Store.inMemory();
        runner().withBean(Store.class, () -> own).run(context -> {
            assertThat(context.getBean(Store.class)).isSameAs(own);
            assertThat(own.group("listed").getClass().getName()).startsWith("dev.ttlstore.internal.");
            own.group("listed").put("key", "value");
            TestObservationRegistryAssert.assertThat(registry).doesNotHaveAnyObservation();
        });
    }

    @Test
    void whileTheyAreOffThereIsNoBeanOfThem() {
        runner().run(context -> {
            assertThat(context).doesNotHaveBean(ObservedStores.class);
            assertThat(Proxy.isProxyClass(context.getBean(Store.class).getClass()))
                    .isFalse();
        });
    }

    @Test
    void callsOfTheStoreItsScopesAndTheDeclaredGroupsAreObserved() {
        runner(
                        ON,
                        "store.groups.listed.metrics=true",
                        "store.groups.others.ttl=1h",
                        "store.scopes.acme.quota.max-keys=9")
                .withUserConfiguration(Users.class)
                .run(context -> {
                    context.getBean(User.class).use();
                    TestObservationRegistryAssert.assertThat(registry)
                            .hasNumberOfObservationsWithNameEqualTo("store.calls", 5)
                            .hasAnObservationWithAKeyValue("group", "listed")
                            .hasAnObservationWithAKeyValue("group", "other")
                            .hasAnObservationWithAKeyValue("operation", "increment")
                            .forAllObservationsWithNameEqualTo("store.calls", (observation) -> observation
                                    .hasLowCardinalityKeyValue("name", "ttlStore")
                                    .doesNotHaveError());
                });
    }

    record User(
            Store store, Scope acme, Group<String> texts, Group<Long> numbers, Counters counters, TextGroup others) {

        void use() {
            store.group("listed").put("key", "value");
            acme.group("listed").put("key", "value");
            texts.put("key", "value");
            counters.increment("number");
            numbers.get("number");
            assertThat(List.of(store, acme, texts, numbers, counters, others))
                    .hasOnlyElementsOfType(TargetClassAware.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {

        @Bean
        User user(
                Store store,
                @Qualifier("acme") Scope acme,
                @Qualifier("listed") Group<String> texts,
                @Qualifier("listed") Group<Long> numbers,
                @Qualifier("listed") Counters counters,
                @Qualifier("others") TextGroup others) {
            assertThat(store.group("listed").get("early"))
                    .isEmpty(); // not observed, as the application has not started
            return new User(store, acme, texts, numbers, counters, others);
        }
    }

    @Test
    void aConventionOfTheApplicationNamesThem() {
        runner(ON)
                .withBean(StoreObservationConvention.class, () -> new StoreObservationConvention() {
                    @Override
                    public String getName() {
                        return "my.store";
                    }

                    @Override
                    public KeyValues getLowCardinalityKeyValues(StoreObservationContext context) {
                        return KeyValues.of("call", context.store() + "." + context.operation());
                    }
                })
                .run(context -> {
                    context.getBean(Store.class).group("listed").get("key");
                    TestObservationRegistryAssert.assertThat(registry)
                            .hasSingleObservationThat()
                            .hasNameEqualTo("my.store")
                            .hasLowCardinalityKeyValue("call", "ttlStore.get");
                });
    }

    @Test
    void severalStoresAreToldApartByTheNamesOfTheirBeans() {
        runner(ON)
                .withBean("first", Store.class, Store::inMemory)
                .withBean("second", Store.class, Store::inMemory)
                .run(context -> {
                    context.getBean("second", Store.class).group("listed").get("key");
                    TestObservationRegistryAssert.assertThat(registry)
                            .hasSingleObservationThat()
                            .hasLowCardinalityKeyValue("name", "second");
                });
    }

    @Test
    void aHandlerOfObservationsMayUseTheStore() {
        StarterRunner.at(folder)
                .withPropertyValues(WITHOUT_FILE)
                .withPropertyValues(ON)
                .withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
                .withBean(Counting.class)
                .run(context -> {
                    context.getBean(Store.class).group("listed").put("key", "value");
                    assertThat(context.getBean(Counting.class).calls).isEqualTo(1);
                });
    }

    static final class Counting implements ObservationHandler<StoreObservationContext> {

        private int calls;

        Counting(Store store) {
            assertThat(store).isInstanceOf(TargetClassAware.class);
        }

        @Override
        public void onStop(StoreObservationContext context) {
            calls++;
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof StoreObservationContext;
        }
    }

    @Test
    void aRegistryOfMetersTimesThemBesideTheOtherMetersOfTheStore() {
        MeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        runner(ON).run(context -> {
            context.getBean(Store.class).group("listed").get("key");
            assertThat(meters.get("store.calls")
                            .tags("name", "ttlStore", "operation", "get", "group", "other", "outcome", "miss")
                            .tags("exception", "none", "error", "none")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void aMockedStoreStaysAMock() {
        Store mocked = mock(Store.class);
        runner(ON).withBean(Store.class, () -> mocked).run(context -> assertThat(context.getBean(Store.class))
                .isSameAs(mocked));
    }

    @Test
    void aMissingRegistryIsLogged(CapturedOutput output) {
        StarterRunner.at(folder)
                .withPropertyValues(WITHOUT_FILE)
                .withPropertyValues(ON)
                .run(context -> {
                    context.getBean(Store.class).group("listed").put("key", "value");
                    assertThat(output)
                            .contains("'store.observations.enabled' has no effect")
                            .contains("actuator");
                });
    }

    @Test
    void aNativeImageHasTheProxies() throws Exception {
        RuntimeHints hints = processAheadOfTime();
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Store.class, TargetClassAware.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(TextGroup.class.getMethod("get", String.class)))
                .accepts(hints);
    }

    private RuntimeHints processAheadOfTime() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(WITHOUT_FILE).and(ON).applyTo(context);
            context.register(StoreAutoConfiguration.class, StoreObservationAutoConfiguration.class);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(getClass())), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }
}
