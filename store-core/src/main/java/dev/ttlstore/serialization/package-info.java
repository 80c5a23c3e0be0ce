/**
 * Holds Java's serialization of values, restricted to allowed classes, for adapters whose values have no declared
 * class. Objects come in, or stored bytes that are checked before any class is loaded. Bytes go out, or objects that
 * equal those that were stored; what is not allowed or would come back changed is refused.
 */
@NullMarked
package dev.ttlstore.serialization;

import org.jspecify.annotations.NullMarked;
