/**
 * Java's serialization of values of any class, restricted to allowed classes: for adapters whose values have no declared
 * class.
 *
 * <p>May depend on the API and its exceptions only.
 */
@NullMarked
package dev.ttlstore.serialization;

import org.jspecify.annotations.NullMarked;
