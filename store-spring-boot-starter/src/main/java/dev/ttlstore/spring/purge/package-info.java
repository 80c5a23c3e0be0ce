/**
 * Holds the scheduled job that purges expired entries. The interval comes in from the properties, and ticks from the
 * scheduler of the application or of the starter. Purges go out to the stores.
 */
@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
