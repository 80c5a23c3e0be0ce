package dev.ttlstore.transaction;

import org.jspecify.annotations.Nullable;

/**
 * Finds the application transaction of the calling thread, so that the store can read and write in it. A framework that
 * manages transactions implements this interface. The Spring Boot starter does so for {@code @Transactional}.
 * Thread-safe.
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
