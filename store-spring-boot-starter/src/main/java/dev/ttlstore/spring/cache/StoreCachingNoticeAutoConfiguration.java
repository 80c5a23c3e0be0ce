package dev.ttlstore.spring.cache;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Auto-configuration that logs at start-up if Spring's caches use Caffeine because it is on the class path. It does so
 * whether or not the store has caches.
 *
 * @since 0.1
 * @see StoreCacheManagerAutoConfiguration
 */
@AutoConfiguration
@ConditionalOnClass({CacheManager.class, Caffeine.class})
public final class StoreCachingNoticeAutoConfiguration {

    StoreCachingNoticeAutoConfiguration() {}

    @Bean
    static CachingNotice ttlStoreCachingNotice(Environment environment) {
        return new CachingNotice(environment);
    }
}
