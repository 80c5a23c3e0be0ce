package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;

/**
 * Loads SQLite's native library and the store's classes on a background thread while the application starts. They
 * take most of the time that opening a store takes. Unlike Boot's own pre-initialization, this starts when all bean
 * definitions are known: an application that declares its own store, mocks it, or keeps it in PostgreSQL, may not use SQLite
 * at all.
 */
final class StorePreloading implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(StorePreloading.class);

    /** Boot's property, by which an application opts out of such threads. */
    private static final String IGNORE = "spring.backgroundpreinitializer.ignore";

    private final Environment environment;
    private volatile boolean begun;

    StorePreloading(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (isToBeOpened(beans)
                && Runtime.getRuntime().availableProcessors() > 1
                && !environment.getProperty(IGNORE, Boolean.class, false)
                && !EngineChoice.in(environment).isShared()) {
            begun = true;
            Thread thread = new Thread(StorePreloading::load, "ttl-store-preloading");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Returns whether the starter will open a store. A mock is registered before the bean is created. */
    private static boolean isToBeOpened(ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(StoreAutoConfiguration.STORE)
                && !beans.containsSingleton(StoreAutoConfiguration.STORE);
    }

    boolean hasBegun() {
        return begun;
    }

    private static void load() {
        try (Store store =
                Store.builder().inMemory().purgeInterval(Duration.ZERO).open()) {
            store.group("group").put("key", "value");
        } catch (RuntimeException | LinkageError e) {
            log.debug("A store cannot be opened; opening the application's store will report why", e);
        }
    }
}
