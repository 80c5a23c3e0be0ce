package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring's caches in the store.
 *
 * @param enabled Whether the application's caches, such as those of '@Cacheable' methods, are in the store.
 * @param ttl Time that an entry of a cache lives after it was put, unless the cache has a time of its own. Zero for ever.
 * @param nullValues Whether a null result is cached. Otherwise it is an error to cache null.
 * @param allowedClasses Classes that cached values may contain, in addition to Java's strings, numbers, times and
 *     collections, and the classes in the packages of the application. Write 'com.example.Order' for a class,
 *     'com.example.*' for a package, or 'com.example.**' to include the packages below.
 * @param caches Settings of single caches, by name.
 * @since 0.1
 * @see StoreCacheManager
 */
@ConfigurationProperties("store.cache-manager")
public record StoreCacheManagerProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("1d") Duration ttl,
        @DefaultValue("true") boolean nullValues,
        @DefaultValue List<String> allowedClasses,
        @DefaultValue Map<String, Cache> caches) {

    /**
     * Settings of one cache.
     *
     * @param ttl Time that an entry lives after it was put, instead of store.cache-manager.ttl. Zero for ever.
     * @param timeToIdle Time that an entry lives that nobody reads, shorter than its ttl. By default reads do not
     *     matter.
     * @param type Type of all values, which are stored as JSON then. A class, or a generic type with its arguments in angle brackets.
     *     By default values of any allowed class are serialized.
     */
    public record Cache(
            @Nullable Duration ttl,
            @Nullable Duration timeToIdle,
            @Nullable String type) {}
}
