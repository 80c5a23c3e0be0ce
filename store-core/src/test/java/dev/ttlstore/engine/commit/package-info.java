/** Tests of {@code engine.commit}, without a database. */
@NullMarked
package dev.ttlstore.engine.commit;

import org.jspecify.annotations.NullMarked;
