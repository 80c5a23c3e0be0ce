/** Hands recorded expiries to their handlers, until they have been handled. */
@NullMarked
package dev.ttlstore.delivery;

import org.jspecify.annotations.NullMarked;
