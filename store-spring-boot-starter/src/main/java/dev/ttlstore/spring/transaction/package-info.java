/**
 * Holds the store's part in Spring's transactions. Transactions of the application come in from its transaction
 * managers. Writes of a store go out into them on PostgreSQL, or after their commit; conflicts go out as Spring's
 * exceptions.
 *
 * <p>The words: a store <i>takes part</i> in a <i>transaction of the application</i> once it is used in it. It <i>joins</i> with a
 * <i>participant</i>, which Spring's <i>synchronizations</i> call in the <i>phases</i> of the transaction. What does not take part is
 * <i>outside</i>. Depends on {@code spring-tx} and {@code spring-jdbc}, which an application need not have.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
