package dev.ttlstore.spring.lifecycle;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** The store closes after everything that uses it. */
@Tag("variant")
class StoreDestructionTests {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(classes = {WithTheStore.class, WithAProvider.class, WithAProviderAskedLate.class})
    void aBeanMayWriteWhileItIsDestroyed(Class<? extends User> user) {
        run(runner().withBean(user), user);
        assertThat(written()).isEqualTo("last words");
    }

    @ParameterizedTest
    @ValueSource(classes = {WithTheStore.class, WithAProvider.class, WithAProviderAskedLate.class})
    void aLazyBeanMayWriteWhileItIsDestroyed(Class<? extends User> user) {
        run(
                runner().withBean(user)
                        .withInitializer(context ->
                                context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor())),
                user);
        assertThat(written()).isEqualTo("last words");
    }

    @Test
    void aUserOfAStoreOfTheApplicationsOwnMayWriteToo() {
        run(
                runner().withBean(WithAProviderAskedLate.class)
                        .withBean("own", Store.class, () -> Store.open(folder.resolve("store.db"))),
                WithAProviderAskedLate.class);
        assertThat(written()).isEqualTo("last words");
    }

    /** Without the health and the metrics of all stores, for which each is asked. */
    @Test
    void aStoreThatTheApplicationWantsToBeLazyStaysSo() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.health.", "io.micrometer."))
                .withUserConfiguration(ArchiveOnDemand.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    ConfigurableListableBeanFactory beans =
                            context.getSourceApplicationContext().getBeanFactory();
                    assertThat(beans.containsSingleton("main")).isTrue();
                    assertThat(beans.containsSingleton("archive")).isFalse();
                });
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.at(folder);
    }

    private static void run(ApplicationContextRunner runner, Class<? extends User> user) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(user).use();
        });
    }

    private String written() {
        try (Store store = Store.open(folder.resolve("store.db"))) {
            return store.group("texts").get("at the end").orElse("nothing");
        }
    }

    /** A bean that uses the store, also at its end. */
    abstract static class User implements DisposableBean {

        abstract Store store();

        void use() {
            store().group("texts").put("meanwhile", "text");
        }

        @Override
        public void destroy() {
            store().group("texts").put("at the end", "last words");
        }
    }

    static final class WithTheStore extends User {

        private final Store store;

        WithTheStore(Store store) {
            this.store = store;
        }

        @Override
        Store store() {
            return store;
        }
    }

    static final class WithAProvider extends User {

        private final Store store;

        WithAProvider(ObjectProvider<Store> stores) {
            this.store = stores.getObject();
        }

        @Override
        Store store() {
            return store;
        }
    }

    static final class WithAProviderAskedLate extends User {

        private final ObjectProvider<Store> stores;
        private @Nullable Store store;

        WithAProviderAskedLate(ObjectProvider<Store> stores) {
            this.stores = stores;
        }

        @Override
        Store store() {
            if (store == null) {
                store = stores.getObject();
            }
            return store;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ArchiveOnDemand {

        @Bean
        @Primary
        Store main() {
            return Store.inMemory();
        }

        @Bean
        @Lazy
        Store archive() {
            return Store.inMemory();
        }
    }
}
