/** Tests. */
@NullMarked
package dev.ttlstore.spring.cache;

import org.jspecify.annotations.NullMarked;
