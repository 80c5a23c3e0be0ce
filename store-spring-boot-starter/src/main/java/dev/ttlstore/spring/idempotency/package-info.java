/** Requests that may be sent twice and take effect once. */
@NullMarked
package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.NullMarked;
