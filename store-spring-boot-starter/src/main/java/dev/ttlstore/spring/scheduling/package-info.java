/**
 * Holds the scheduler of the starter's own jobs. Tasks come in from the packages with jobs. Runs on daemon threads go
 * out, also after the heap was full.
 */
@NullMarked
package dev.ttlstore.spring.scheduling;

import org.jspecify.annotations.NullMarked;
