/** Tests of {@code internal.purge}, without a database. */
@NullMarked
package dev.ttlstore.internal.purge;

import org.jspecify.annotations.NullMarked;
