package dev.ttlstore.spring.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

import dev.ttlstore.exception.TransactionConflictException;

/**
 * Translates conflicts of transactions that write to the store into Spring's exception for those of databases, so that what retries
 * these retries them too. Applies to beans with {@code @Repository}; what fails at the commit is translated there. Thread-safe.
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
