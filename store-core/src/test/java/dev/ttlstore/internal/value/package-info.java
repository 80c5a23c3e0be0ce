/** Tests. */
@NullMarked
package dev.ttlstore.internal.value;

import org.jspecify.annotations.NullMarked;
