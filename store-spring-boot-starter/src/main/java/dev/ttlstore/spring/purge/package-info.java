/** Scheduled job that purges expired entries. It runs on the scheduler of the application, or on one of the starter. */
@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
