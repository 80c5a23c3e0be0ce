/**
 * Transactions of the application in which a store takes part, for frameworks that manage them.
 *
 * <p>Belongs here: what a store must know of such a transaction, and what it does at its turns. May depend on no other package of
 * the store.
 */
@NullMarked
package dev.ttlstore.transaction;

import org.jspecify.annotations.NullMarked;
