/** Micrometer meters of the store. */
@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
