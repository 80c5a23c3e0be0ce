/**
 * Holds how a framework tells a store of the transactions of an application. The transaction of the calling thread
 * comes in, with its connection and its turns. Writes of the store go out into that transaction, before it commits.
 */
@NullMarked
package dev.ttlstore.transaction;

import org.jspecify.annotations.NullMarked;
