/**
 * What operations do to rows, and code that engines share: the order of deliveries, and what an engine keeps in memory if one process owns its data. Also a
 * check that the store itself runs before it calls an engine.
 *
 * <p>Belongs here: what does not depend on the kind of database. May depend on {@code engine} and {@code exception} only.
 */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
