/** Tests. */
@NullMarked
package dev.ttlstore.spring.serialization;

import org.jspecify.annotations.NullMarked;
