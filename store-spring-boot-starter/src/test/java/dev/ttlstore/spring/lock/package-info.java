/** Tests. */
@NullMarked
package dev.ttlstore.spring.lock;

import org.jspecify.annotations.NullMarked;
