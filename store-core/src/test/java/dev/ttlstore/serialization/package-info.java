/** Tests. */
@NullMarked
package dev.ttlstore.serialization;

import org.jspecify.annotations.NullMarked;
