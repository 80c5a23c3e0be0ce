/**
 * Holds Spring's cache manager in a store. Calls of Spring's cache API come in, usually for {@code @Cacheable}
 * methods, with keys and values of many classes. Each cache goes out to one group, with keys as text and values as
 * bytes; a value that cannot be read is loaded again.
 */
@NullMarked
package dev.ttlstore.spring.cache;

import org.jspecify.annotations.NullMarked;
