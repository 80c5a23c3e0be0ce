/**
 * Holds the store's part in Spring's transactions. Transactions of the application come in from its transaction
 * managers. Writes of a store go out into them on PostgreSQL, or after their commit; conflicts go out as Spring's
 * exceptions.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
