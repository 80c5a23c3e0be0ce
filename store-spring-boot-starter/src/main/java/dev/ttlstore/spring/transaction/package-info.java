/**
 * The store's part in Spring's transactions. On PostgreSQL, writes join the application's transaction, and conflicts
 * become Spring's exceptions; for a store in a file, {@link dev.ttlstore.spring.transaction.AfterCommit} writes after
 * the commit. The package needs {@code spring-tx} and {@code spring-jdbc}, which an application may not have.
 */
@NullMarked
package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
