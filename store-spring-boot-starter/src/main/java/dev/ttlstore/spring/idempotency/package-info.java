/**
 * Holds the filter for requests that may be sent twice and take effect once. Requests with an {@code Idempotency-Key}
 * come in, and the properties {@code store.idempotency}. The first goes on to the application, whose answer goes to
 * the store; repeated ones get that answer.
 */
@NullMarked
package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.NullMarked;
