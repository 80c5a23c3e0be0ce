/**
 * Holds the store's part in Spring's transactions. Begins, commits and rollbacks come in from Spring's transaction
 * managers. On PostgreSQL, writes go out to the application's transaction, and conflicts as Spring's exceptions; for a
 * store in a file, {@link dev.ttlstore.spring.transaction.AfterCommit} writes after the commit.
 *
 * <p>Needs {@code spring-tx} and {@code spring-jdbc}, which an application may not have.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
