package dev.ttlstore.spring.transaction;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.LiveKeyspace;

/**
 * Gives adapters a store whose entries belong to no transaction of the application.
 *
 * @since 0.1
 * @see SpringTransactions
 */
public final class OutsideTransaction {

    private OutsideTransaction() {}

    /**
     * Returns a store outside transactions.
     *
     * @param store a store or scope
     * @return what {@link LiveKeyspace#outsideTransaction} returns; the store itself if it is a mock in a test, which answers null
     */
    public static LiveKeyspace of(LiveKeyspace store) {
        @Nullable
        LiveKeyspace outside =
                Objects.requireNonNull(store, "'store' must not be null").outsideTransaction();
        return outside == null ? store : outside;
    }
}
