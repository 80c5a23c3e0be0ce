package dev.ttlstore.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Tells the store which transaction of the application a thread is in, so that the store reads and writes in it. For frameworks
 * that manage transactions; the Spring Boot starter has one for {@code @Transactional}. Thread-safe.
 *
 * @since 0.1
 * @see ApplicationTransaction
 * @see dev.ttlstore.postgresql.PostgreSql#joining
 */
@FunctionalInterface
public interface ApplicationTransactions {

    /**
     * Returns the transaction of the calling thread on the store's data source.
     *
     * @return the same object throughout the transaction; null if the thread is in none, or if it is suspended
     */
    @Nullable
    ApplicationTransaction current();
}
