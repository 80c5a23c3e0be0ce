/**
 * Code that engines share, and that the store itself runs before it calls an engine.
 *
 * <p>Belongs here: helpers that do not depend on the kind of engine. May depend on {@code engine} and {@code
 * exception} only.
 */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
