/** Tests. */
@NullMarked
package dev.ttlstore.spring.ratelimit;

import org.jspecify.annotations.NullMarked;
