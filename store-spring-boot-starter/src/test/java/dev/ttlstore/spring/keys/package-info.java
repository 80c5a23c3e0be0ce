/** Tests. */
@NullMarked
package dev.ttlstore.spring.keys;

import org.jspecify.annotations.NullMarked;
