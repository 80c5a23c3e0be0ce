package dev.ttlstore.spring.cache;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.CaffeineSpec;

/**
 * Logs at start-up that Spring's caches use Caffeine, unless the application has chosen a cache provider. Spring Boot
 * chooses Caffeine because it is on the class path. Caffeine may be there for the near cache alone or for the
 * application as well; the notice cannot tell which.
 */
final class CachingNotice implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(CachingNotice.class);

    private static final String CACHE_MANAGER = "cacheManager";

    /** A class of Boot, by name, because Boot's caching is not on the class path of every application. */
    private static final String CAFFEINE_CONFIGURATION =
            "org.springframework.boot.cache.autoconfigure.CaffeineCacheConfiguration";

    private final Environment environment;

    CachingNotice(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (isCaffeineOfBoot(beans) && !isChosen(beans)) {
            log.info("Spring Boot uses Caffeine for the application's caches, because TTL Store's near cache brings it"
                    + " to the class path. To confirm Caffeine, or to use the caches that Spring Boot has"
                    + " without it, set 'spring.cache.type' to 'caffeine' or 'simple'");
        }
    }

    private static boolean isCaffeineOfBoot(ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(CACHE_MANAGER)
                && CAFFEINE_CONFIGURATION.equals(
                        beans.getBeanDefinition(CACHE_MANAGER).getFactoryBeanName());
    }

    /** Returns whether the application configures Caffeine caches in one of the ways that Boot supports. */
    private boolean isChosen(ConfigurableListableBeanFactory beans) {
        return environment.containsProperty("spring.cache.type")
                || environment.containsProperty("spring.cache.caffeine.spec")
                || has(beans, Caffeine.class)
                || has(beans, CaffeineSpec.class)
                || has(beans, CacheLoader.class);
    }

    private static boolean has(ConfigurableListableBeanFactory beans, Class<?> type) {
        return beans.getBeanNamesForType(type, true, false).length > 0;
    }
}
