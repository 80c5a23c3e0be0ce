/**
 * Filter for idempotent requests. It runs the first request with an {@code Idempotency-Key}, stores the answer, and
 * repeats that answer for later requests with the same key.
 */
@NullMarked
package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.NullMarked;
