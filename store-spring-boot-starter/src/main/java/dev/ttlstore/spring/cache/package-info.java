/** Spring's caches in a store. */
@NullMarked
package dev.ttlstore.spring.cache;

import org.jspecify.annotations.NullMarked;
