package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;

/**
 * Has SQLite's native library and the classes of a store loaded by a thread in the background while the application starts,
 * for that takes most of the time that opening a store takes. It begins when all beans are known, unlike Boot's own
 * pre-initialization, since an application with a store of its own, or a mock of one, may not use SQLite at all.
 */
final class StorePreloading implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(StorePreloading.class);

    /** That of Boot, by which an application opts out of such threads. */
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
                && !environment.getProperty(IGNORE, Boolean.class, false)) {
            begun = true;
            Thread thread = new Thread(StorePreloading::load, "ttl-store-preloading");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** A mock takes the place of the bean before it is created. */
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
            log.debug("A store cannot be opened, which is told when the application's is", e);
        }
    }
}
