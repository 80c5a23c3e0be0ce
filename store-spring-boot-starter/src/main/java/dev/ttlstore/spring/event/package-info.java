/**
 * Holds the publication of the store's events in Spring. Events of committed changes come in from all stores of a
 * context, in commit order. They go out as application events, which methods with {@code @EventListener} receive
 * before the write returns.
 */
@NullMarked
package dev.ttlstore.spring.event;

import org.jspecify.annotations.NullMarked;
