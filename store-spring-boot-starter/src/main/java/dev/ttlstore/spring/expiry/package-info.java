/**
 * Holds the calls of methods with {@link dev.ttlstore.spring.expiry.OnExpiry}. Beans with such methods come in from
 * the context, and expired entries from durable subscriptions to the store. Each expiry goes out as a call with the
 * entry or its value; if the method throws, the store retries.
 */
@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
