/**
 * The store in Spring's transactions.
 *
 * <p>Belongs here: what the store needs to know of Spring's transactions, and what applications need to write after their
 * commit. Depends on {@code spring-tx} and {@code spring-jdbc}, which an application need not have: nothing else of the starter
 * refers to it, except where they were found.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
