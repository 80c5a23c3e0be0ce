/**
 * Holds Bucket4j's proxy manager in a store. Requests for tokens of a bucket come in, some with a time limit. Each
 * bucket goes out to one entry, which a call replaces only if no other call has replaced it meanwhile.
 */
@NullMarked
package dev.ttlstore.spring.ratelimit;

import org.jspecify.annotations.NullMarked;
