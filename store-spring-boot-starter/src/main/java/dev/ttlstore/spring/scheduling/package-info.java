/**
 * Holds the scheduler of the starter's own jobs. Tasks and their times come in from {@code purge} and {@code lock}.
 * The tasks run on daemon threads, also after the heap was full.
 */
@NullMarked
package dev.ttlstore.spring.scheduling;

import org.jspecify.annotations.NullMarked;
