/** Micrometer observations of a store's calls: spans and timers that never have a key or a value. */
@NullMarked
package dev.ttlstore.spring.observation;

import org.jspecify.annotations.NullMarked;
