package dev.ttlstore.spring.event;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.spring.StoreRunner;

import static org.assertj.core.api.Assertions.assertThat;

class StoreEventAutoConfigurationTests {

    @TempDir
    private Path folder;

    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder)
                .withBean(InstantSource.class, () -> () -> now)
                .withPropertyValues("store.purge.enabled=false");
    }

    @Test
    void eventListenerMethodsGetEventsByTheTimeTheWriteReturns() {
        runner().withBean(Listener.class).run(context -> {
            Store store = context.getBean(Store.class);
            Listener listener = context.getBean(Listener.class);
            store.group("config").put("theme", "dark", Duration.ofSeconds(1));
            assertThat(listener.told).containsExactly("put theme");
            store.group("config").put("other", "x");
            store.group("config").delete("other");
            now = now.plusSeconds(1);
            store.purgeExpired();
            assertThat(listener.told).containsExactly("put theme", "put other", "deleted other", "expired theme");
            assertThat(listener.all).hasSize(4);
        });
    }

    @Test
    void aConditionChoosesAmongThem() {
        runner().withBean(ChoosyListener.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark");
            store.group("config").put("theme", "light");
            store.group("other").put("theme", "dark");
            assertThat(context.getBean(ChoosyListener.class).createdKeys).containsExactly("theme");
        });
    }

    @Test
    void anApplicationListenerGetsThePayloadOfItsType() {
        runner().withBean(CreatedKeys.class).withBean(EveryListener.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark");
            store.group("config").delete("theme");
            assertThat(context.getBean(CreatedKeys.class).keys).containsExactly("theme");
            assertThat(context.getBean(EveryListener.class).all)
                    .hasExactlyElementsOfTypes(EntryPut.class, EntryDeleted.class);
        });
    }

    /** A lambda has no type argument, so Spring takes it from the bean method, or drops the failed cast. */
    @Test
    void anApplicationListenerMayBeALambdaOfABeanMethod() {
        runner().withUserConfiguration(LambdaListeners.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark");
            store.group("config").delete("theme");
            assertThat(context.getBean(LambdaListeners.class).keys).containsExactly("theme", "theme");
            assertThat(store.activity().listenerFailures()).isZero();
        });
    }

    @Test
    void theyCanBeLimitedToGroups() {
        runner().withBean(Listener.class)
                .withPropertyValues("store.events.groups=config,acme:config")
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("config").put("first", "dark");
                    store.group("other").put("second", "dark");
                    store.scope("acme").group("config").put("third", "dark");
                    assertThat(store.group("config").clear()).isOne();
                    assertThat(store.group("other").clear()).isOne();
                    assertThat(context.getBean(Listener.class).all)
                            .extracting(StoreEvent::group)
                            .containsExactly("config", "acme:config", "config");
                });
    }

    @Test
    void aGroupWithoutANameIsRefused() {
        StoreRunner.at(folder).withPropertyValues("store.events.groups[0]=").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("store.events.groups")
                .hasMessageContaining("store.events.enabled"));
    }

    /** As in a context that was processed ahead of time, where conditions were asked at the build. */
    @Test
    void theyCanBeSwitchedOffWhenThePublisherIsThereAlready() {
        StoreRunner.at(folder).withPropertyValues("store.events.enabled=false").run(context -> {
            StoreEventProperties properties = context.getBean(StoreEventProperties.class);
            assertThat(new StoreEventAutoConfiguration()
                            .ttlStoreEventPublisher(
                                    context.getSourceApplicationContext(ConfigurableApplicationContext.class),
                                    properties))
                    .isNull();
        });
    }

    @Test
    void theyCanBeSwitchedOff() {
        runner().withBean(Listener.class)
                .withPropertyValues("store.events.enabled=false")
                .run(context -> {
                    context.getBean(Store.class).group("config").put("theme", "dark");
                    assertThat(context.getBean(Listener.class).all).isEmpty();
                });
    }

    private ApplicationContextRunner withTransactions() {
        return runner().withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:events")
                .withBean(TransactionalListener.class)
                .withBean(Listener.class);
    }

    /** The store commits at once, whatever becomes of the transaction around it; the listener waits for that transaction. */
    @Test
    void aTransactionalListenerIsToldWhenTheTransactionAroundTheWriteCommits() {
        withTransactions().run(context -> {
            Store store = context.getBean(Store.class);
            TransactionalListener transactional = context.getBean(TransactionalListener.class);
            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                store.group("config").put("theme", "dark");
                assertThat(context.getBean(Listener.class).told).containsExactly("put theme");
                assertThat(transactional.told).isEmpty();
            });
            assertThat(transactional.told).containsExactly("theme");
        });
    }

    @Test
    void aTransactionalListenerIsNotToldWhenTheTransactionAroundTheWriteRollsBackThoughTheWriteStands() {
        withTransactions().run(context -> {
            Store store = context.getBean(Store.class);
            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                store.group("config").put("theme", "dark");
                status.setRollbackOnly();
            });
            assertThat(store.group("config").get("theme")).contains("dark");
            assertThat(context.getBean(Listener.class).told).containsExactly("put theme");
            assertThat(context.getBean(TransactionalListener.class).told).isEmpty();
        });
    }

    @Test
    void withoutATransactionOnlyATransactionalListenerThatFallsBackIsTold() {
        withTransactions().run(context -> {
            context.getBean(Store.class).group("config").put("theme", "dark");
            assertThat(context.getBean(TransactionalListener.class).told).isEmpty();
            assertThat(context.getBean(TransactionalListener.class).fallback).containsExactly("theme");
        });
    }

    @Test
    void aListenerThatThrowsDoesNotFailTheWrite() {
        runner().withBean(Thrower.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("theme", "dark");
            assertThat(store.group("config").get("theme")).contains("dark");
            assertThat(store.activity().listenerFailures()).isOne();
        });
    }

    @Test
    void eventsArriveUnderLazyInitialization() {
        runner().withBean(Listener.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    context.getBean(Store.class).group("config").put("theme", "dark");
                    assertThat(context.getBean(Listener.class).told).containsExactly("put theme");
                });
    }

    @Test
    void aBeanMayWriteWhileTheContextCloses() {
        runner().withBean(Listener.class).withBean(LastWriter.class).run(context -> {
            context.getBean(LastWriter.class);
            context.close();
        });
        runner().run(context -> assertThat(
                        context.getBean(Store.class).group("config").get("last"))
                .contains("words"));
    }

    static class Listener {

        private final List<String> told = new ArrayList<>();
        private final List<StoreEvent> all = new ArrayList<>();

        @EventListener
        void onAny(StoreEvent event) {
            all.add(event);
        }

        @EventListener
        void onPut(EntryPut event) {
            told.add("put " + event.key());
        }

        @EventListener
        void onDeleted(EntryDeleted event) {
            told.add("deleted " + event.key());
        }

        @EventListener
        void onExpired(EntryExpired event) {
            told.add("expired " + event.key());
        }
    }

    static class CreatedKeys implements ApplicationListener<PayloadApplicationEvent<EntryPut>> {

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<EntryPut> event) {
            keys.add(event.getPayload().key());
        }

        private final List<String> keys = new ArrayList<>();
    }

    static class EveryListener implements ApplicationListener<PayloadApplicationEvent<? extends StoreEvent>> {

        private final List<StoreEvent> all = new ArrayList<>();

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<? extends StoreEvent> event) {
            all.add(event.getPayload());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaListeners {

        private final List<String> keys = new ArrayList<>();

        @Bean
        ApplicationListener<PayloadApplicationEvent<EntryPut>> lambda() {
            return event -> keys.add(event.getPayload().key());
        }

        @Bean
        ApplicationListener<PayloadApplicationEvent<EntryPut>> forPayload() {
            return ApplicationListener.forPayload(put -> keys.add(put.key()));
        }
    }

    static class ChoosyListener {

        private final List<String> createdKeys = new ArrayList<>();

        @EventListener(condition = "#event.group() == 'config' && #event.created()")
        void onPut(EntryPut event) {
            createdKeys.add(event.key());
        }
    }

    static class TransactionalListener {

        private final List<String> told = new ArrayList<>();
        private final List<String> fallback = new ArrayList<>();

        @TransactionalEventListener
        void onPut(EntryPut event) {
            told.add(event.key());
        }

        @TransactionalEventListener(fallbackExecution = true)
        void onPutAtOnce(EntryPut event) {
            fallback.add(event.key());
        }
    }

    static class Thrower {

        @EventListener
        void onPut(EntryPut event) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Lazy
    record LastWriter(Store store) implements AutoCloseable {

        @Override
        public void close() {
            store.group("config").put("last", "words");
        }
    }
}
