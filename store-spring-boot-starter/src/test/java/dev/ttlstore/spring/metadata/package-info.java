/** Tests. */
@NullMarked
package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.NullMarked;
