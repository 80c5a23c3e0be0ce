/** Tests of {@code engine.tree}, without a database. */
@NullMarked
package dev.ttlstore.engine.tree;

import org.jspecify.annotations.NullMarked;
