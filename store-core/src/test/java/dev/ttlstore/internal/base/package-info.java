/** Tests of {@code internal.base}, without a database. */
@NullMarked
package dev.ttlstore.internal.base;

import org.jspecify.annotations.NullMarked;
