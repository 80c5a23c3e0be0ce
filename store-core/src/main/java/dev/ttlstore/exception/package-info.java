/**
 * All exceptions of the store: one class per cause, with the facts as fields, and the problem and the remedy in the
 * message.
 *
 * <p>Belongs here: {@link dev.ttlstore.exception.StoreException} and its subclasses. May depend on no other package
 * of the store.
 */
@NullMarked
package dev.ttlstore.exception;

import org.jspecify.annotations.NullMarked;
