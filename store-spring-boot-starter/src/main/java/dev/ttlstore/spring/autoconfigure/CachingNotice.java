package dev.ttlstore.spring.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.CaffeineSpec;

/**
 * Says at the start that Spring's caches are in Caffeine, where nobody has chosen so: Spring Boot takes Caffeine because it is
 * on the class path. It may be there for the near cache alone, or because the application has it as well, which cannot be told.
 */
final class CachingNotice implements BeanFactoryPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(CachingNotice.class);

    private static final String CACHE_MANAGER = "cacheManager";

    /** Of Boot. By name, since its caching is not on the class path of all applications. */
    private static final String CAFFEINE_CONFIGURATION =
            "org.springframework.boot.cache.autoconfigure.CaffeineCacheConfiguration";

    private final Environment environment;

    CachingNotice(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (isCaffeineOfBoot(beans) && !isChosen(beans)) {
            log.info(
                    "Spring Boot keeps the application's caches in Caffeine, because Caffeine is on the class path, where TTL"
                            + " Store needs it for its near cache. Set 'spring.cache.type' to 'caffeine' to confirm the choice, or to"
                            + " 'simple' for the caches that Spring Boot uses without Caffeine");
        }
    }

    private static boolean isCaffeineOfBoot(ConfigurableListableBeanFactory beans) {
        return beans.containsBeanDefinition(CACHE_MANAGER)
                && CAFFEINE_CONFIGURATION.equals(
                        beans.getBeanDefinition(CACHE_MANAGER).getFactoryBeanName());
    }

    /** Whether the application says in one of the ways that Boot knows how its Caffeine caches should be. */
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
