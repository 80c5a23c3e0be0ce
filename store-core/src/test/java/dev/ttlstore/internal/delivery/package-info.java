/** Tests of {@code internal.delivery}, without a database. */
@NullMarked
package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.NullMarked;
