/** Bucket4j's buckets in a store. */
@NullMarked
package dev.ttlstore.spring.ratelimit;

import org.jspecify.annotations.NullMarked;
