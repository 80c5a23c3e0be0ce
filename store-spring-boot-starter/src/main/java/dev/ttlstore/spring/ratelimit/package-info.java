/**
 * Holds Bucket4j's proxy manager in a store. States of buckets come in from Bucket4j, and the properties
 * {@code store.rate-limits}. They go out as entries that are replaced only if nobody else has replaced them, each call
 * in a limited time.
 */
@NullMarked
package dev.ttlstore.spring.ratelimit;

import org.jspecify.annotations.NullMarked;
