package dev.ttlstore.spring.cache;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.json.StoreJacksonAutoConfiguration;

import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Auto-configuration for Spring's caches in the store. It runs before that of Spring Boot, which then backs off. It
 * backs off itself if the application declares a cache manager, or with {@code spring.cache.type=none}, which tests
 * set.
 *
 * @since 0.1
 * @see StoreCacheManager
 * @see StoreCacheManagerProperties
 */
@AutoConfiguration(
        after = {StoreAutoConfiguration.class, StoreJacksonAutoConfiguration.class},
        beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnBooleanProperty("store.cache-manager.enabled")
@ConditionalOnBean(Store.class)
@Conditional(StoreCacheManagerAutoConfiguration.CachesAreOn.class)
@EnableConfigurationProperties(StoreCacheManagerProperties.class)
public final class StoreCacheManagerAutoConfiguration {

    StoreCacheManagerAutoConfiguration() {}

    @Bean("cacheManager")
    @ConditionalOnMissingBean(CacheManager.class)
    StoreCacheManager cacheManager(
            Store store,
            StoreCacheManagerProperties properties,
            ObjectProvider<CodecFactory> codecs,
            BeanFactory beans,
            ResourceLoader loader) {
        ConfiguredCaches caches = new ConfiguredCaches(properties, codecs, beans, loader.getClassLoader());
        return new StoreCacheManager(
                store, caches::settings, properties.caches().keySet());
    }

    /** For Boot's metrics of caches. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({CacheMeterBinderProvider.class, MeterBinder.class})
    static class Metrics {

        @Bean
        CacheMeterBinderProvider<StoreCache> ttlStoreCacheMeterBinderProvider() {
            return StoreCacheMetrics::new;
        }
    }

    static final class CachesAreOn extends NoneNestedConditions {

        CachesAreOn() {
            super(ConfigurationPhase.PARSE_CONFIGURATION);
        }

        @ConditionalOnProperty(name = "spring.cache.type", havingValue = "none")
        static final class CachesAreOff {}
    }
}
