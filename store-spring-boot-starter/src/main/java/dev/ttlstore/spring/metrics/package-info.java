/** What a store does, as meters of Micrometer. */
@NullMarked
package dev.ttlstore.spring.metrics;

import org.jspecify.annotations.NullMarked;
