/**
 * The store in Spring's transactions.
 *
 * <p>Belongs here: what the store needs to know of Spring's transactions, and what applications need to write after their
 * commit. Depends on {@code spring-tx} and {@code spring-jdbc}, which an application need not have: nothing else of the starter
 * refers to it, except where they were found.
 *
 * <p>The words: a store <i>takes part</i> in a <i>transaction of the application</i> once it is used in it. It <i>joins</i> with a
 * <i>participant</i>, which Spring's <i>synchronizations</i> call in the <i>phases</i> of the transaction. What does not take part is
 * <i>outside</i>.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
