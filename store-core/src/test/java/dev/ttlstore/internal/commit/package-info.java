/** Tests of {@code internal.commit}, without a database. */
@NullMarked
package dev.ttlstore.internal.commit;

import org.jspecify.annotations.NullMarked;
