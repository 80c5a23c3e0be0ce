package dev.ttlstore.jcache;

import java.util.List;

import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;

import org.jspecify.annotations.Nullable;

/**
 * The cache in which Hibernate notes when it has changed a table. A query result is current if it is younger, or if there is no note. So
 * a note that expires brings old results back, without an error.
 */
final class UpdateTimestamps {

    /** Its names in Hibernate, after the prefix of an application. */
    private static final List<String> NAMES = List.of(
            "default-update-timestamps-region",
            "org.hibernate.cache.spi.TimestampsRegion",
            "org.hibernate.cache.spi.UpdateTimestampsCache");

    private UpdateTimestamps() {}

    /**
     * Checks the configuration of a cache.
     *
     * @throws IllegalArgumentException if the cache is this one and its entries expire
     */
    static void requireEternal(String cacheName, StoreConfiguration<?, ?> configuration) {
        if (NAMES.stream().anyMatch(name -> cacheName.equals(name) || cacheName.endsWith("." + name))
                && !isEternal(configuration)) {
            throw new IllegalArgumentException(
                    "The configuration of the cache '" + cacheName + "' must have no expiry policy, or an"
                            + " EternalExpiryPolicy: without an entry of this cache, Hibernate takes old results of"
                            + " queries for current ones");
        }
    }

    private static boolean isEternal(StoreConfiguration<?, ?> configuration) {
        ExpiryPolicy policy = configuration.getExpiryPolicyFactory().create();
        try {
            return isEternal(policy.getExpiryForCreation())
                    && isEternal(policy.getExpiryForUpdate())
                    && isEternal(policy.getExpiryForAccess());
        } finally {
            Failures.closeQuietly(policy);
        }
    }

    /** Tests an answer of a policy; null leaves the expiry as it is. */
    private static boolean isEternal(@Nullable Duration duration) {
        return duration == null || duration.isEternal();
    }
}
