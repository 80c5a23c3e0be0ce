/** Tests. */
@NullMarked
package dev.ttlstore.spring.idempotency;

import org.jspecify.annotations.NullMarked;
