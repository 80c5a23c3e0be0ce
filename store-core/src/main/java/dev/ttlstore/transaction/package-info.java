/**
 * Holds how a framework tells a store of the transactions of an application. The transaction of the calling thread
 * comes in, with its connection and its turns. Writes of the store go out into that transaction, before it commits.
 *
 * <p>An <em>application transaction</em> is one of the application's. One that an engine can take part in is
 * <em>joinable</em>. What the store does in it is <em>joined</em>.
 */
@NullMarked
package dev.ttlstore.transaction;

import org.jspecify.annotations.NullMarked;
