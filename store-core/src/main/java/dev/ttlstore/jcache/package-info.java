/**
 * Holds the JCache (JSR 107) provider with its managers and caches. Operations of caches come in, with configurations,
 * loaders, writers and listeners of the application. Reads and writes of one group per cache go out to a store,
 * through its API alone, and events to the listeners.
 *
 * <p>Needs {@code javax.cache:cache-api} on the class path.
 */
@NullMarked
package dev.ttlstore.jcache;

import org.jspecify.annotations.NullMarked;
