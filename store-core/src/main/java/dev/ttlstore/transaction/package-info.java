/**
 * Holds the interfaces by which a store takes part in the transactions of an application. A framework passes in the
 * transaction of the calling thread, with its connection and its phases. Before the transaction commits, the store
 * writes into it.
 *
 * <p>An <em>application transaction</em> is one of the application's. One that an engine can take part in is
 * <em>joinable</em>. What the store does in it is <em>joined</em>.
 */
@NullMarked
package dev.ttlstore.transaction;

import org.jspecify.annotations.NullMarked;
