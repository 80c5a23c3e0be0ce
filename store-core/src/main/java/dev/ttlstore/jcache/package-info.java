/**
 * Caches of JSR 107 (JCache) whose entries a store keeps.
 *
 * <p>Belongs here: the provider, its managers and caches, which use a store as an application does. Needs
 * {@code javax.cache:cache-api}.
 */
@NullMarked
package dev.ttlstore.jcache;

import org.jspecify.annotations.NullMarked;
