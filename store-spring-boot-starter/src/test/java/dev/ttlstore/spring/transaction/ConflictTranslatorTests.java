package dev.ttlstore.spring.transaction;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.persistence.autoconfigure.PersistenceExceptionTranslationAutoConfiguration;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.stereotype.Repository;

import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.spring.StarterRunner;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Conflicts as Spring's generic retries know them. */
class ConflictTranslatorTests {

    @Test
    void aRepositoryThrowsConflictsOfTheStoreAsThoseOfADatabase(@TempDir Path folder) {
        StarterRunner.at(folder)
                .withConfiguration(AutoConfigurations.of(PersistenceExceptionTranslationAutoConfiguration.class))
                .withBean(Stock.class)
                .run(context -> {
                    Stock stock = context.getBean(Stock.class);
                    RuntimeException conflict =
                            new TransactionConflictException("A row has changed", new IllegalStateException("cause"));
                    assertThatExceptionOfType(ConcurrencyFailureException.class)
                            .isThrownBy(() -> stock.fail(conflict))
                            .withMessage(conflict.getMessage())
                            .withCause(conflict);
                    RuntimeException other = new IllegalStateException("fails");
                    assertThatIllegalStateException()
                            .isThrownBy(() -> stock.fail(other))
                            .isSameAs(other);
                });
    }

    @Repository
    static class Stock {

        void fail(RuntimeException failure) {
            throw failure;
        }
    }
}
