package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

import dev.ttlstore.exception.TransactionConflictException;

/**
 * Translates conflicts of transactions that write to the store into the exception that Spring uses for conflicts in
 * databases. So code that retries these also retries conflicts of the store. Spring applies it to beans with
 * {@code @Repository}. The transaction translates what fails at the commit. Thread-safe.
 *
 * @since 0.1
 * @see SpringTransactions
 */
public final class ConflictTranslator implements PersistenceExceptionTranslator {

    /** Creates the translator. */
    public ConflictTranslator() {}

    @Override
    public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException failure) {
        return failure instanceof TransactionConflictException conflict ? translated(conflict) : null;
    }

    static ConcurrencyFailureException translated(TransactionConflictException conflict) {
        return new ConcurrencyFailureException(String.valueOf(conflict.getMessage()), conflict);
    }
}
