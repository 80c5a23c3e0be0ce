/**
 * Holds the servlet filter for idempotent requests. Requests with an {@code Idempotency-Key} come in. The first one
 * goes out to the application, and its answer is stored; later requests with the same key get that answer again, or a
 * refusal as problem details.
 */
@NullMarked
package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.NullMarked;
