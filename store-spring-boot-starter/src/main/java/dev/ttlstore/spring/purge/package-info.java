/**
 * Holds the scheduled job that purges expired entries. The stores of a context and an interval come in. Purges go out,
 * on the scheduler of the application if scheduling is enabled, and otherwise on a thread of the starter.
 */
@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
