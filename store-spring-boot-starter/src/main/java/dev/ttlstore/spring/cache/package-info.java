/** Spring's cache manager in a store. Each cache is one group. */
@NullMarked
package dev.ttlstore.spring.cache;

import org.jspecify.annotations.NullMarked;
