/** Tests of {@code internal.watch}, without a database. */
@NullMarked
package dev.ttlstore.internal.watch;

import org.jspecify.annotations.NullMarked;
