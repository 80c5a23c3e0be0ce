/** Scheduler of the starter's own jobs. It has daemon threads, and goes on after the heap was full. */
@NullMarked
package dev.ttlstore.spring.scheduling;

import org.jspecify.annotations.NullMarked;
