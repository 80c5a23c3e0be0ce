/**
 * Holds the bridge from the events of stores to application events. Committed changes come in from the stores. They go
 * out to the {@code @EventListener} methods of the application that want them.
 */
@NullMarked
package dev.ttlstore.spring.event;

import org.jspecify.annotations.NullMarked;
