/**
 * Methods with {@link dev.ttlstore.spring.expiry.OnExpiry}, which the starter calls for each expired entry. The
 * subscriptions are durable: if a method throws, the store retries.
 */
@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
