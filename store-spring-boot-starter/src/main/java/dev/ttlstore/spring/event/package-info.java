/** Application events for committed changes. Methods with {@code @EventListener} receive the events of all stores. */
@NullMarked
package dev.ttlstore.spring.event;

import org.jspecify.annotations.NullMarked;
