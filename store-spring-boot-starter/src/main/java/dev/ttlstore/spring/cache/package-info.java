/**
 * Holds Spring's cache manager in a store. Operations of {@code @Cacheable} methods come in, and the properties
 * {@code store.cache-manager}. Entries of one group per cache go out, and the meters of caches.
 */
@NullMarked
package dev.ttlstore.spring.cache;

import org.jspecify.annotations.NullMarked;
