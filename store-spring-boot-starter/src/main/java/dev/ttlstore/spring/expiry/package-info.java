/**
 * Holds the {@code @OnExpiry} methods of beans. Expired entries come in from durable subscriptions of the stores.
 * Calls go out to the methods, whose exceptions let the store retry.
 */
@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
