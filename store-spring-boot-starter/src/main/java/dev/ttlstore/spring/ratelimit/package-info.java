/**
 * Bucket4j's proxy manager in a store. Each bucket is one entry, which changes by compare-and-set. A call can have a
 * time limit.
 */
@NullMarked
package dev.ttlstore.spring.ratelimit;

import org.jspecify.annotations.NullMarked;
