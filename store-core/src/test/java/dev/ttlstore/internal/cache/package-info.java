/** Tests of {@code internal.cache}, without a database. */
@NullMarked
package dev.ttlstore.internal.cache;

import org.jspecify.annotations.NullMarked;
