package dev.ttlstore.spring.transaction;

import java.sql.Connection;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import dev.ttlstore.exception.StoreException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/** What is still open on a connection after a transaction is ended, or said to be lost. */
class ConnectionCleanupTests {

    private final Connection connection = mock(Connection.class);
    private final SQLException failure = new SQLException("The server is gone");

    @Test
    void whatIsWrittenAfterTheCommitIsCommitted() throws SQLException {
        ConnectionCleanup.commit(connection, () -> {});
        verify(connection).commit();
        verify(connection, never()).rollback();
    }

    @Test
    void aFailedCommitIsRolledBackAndSaysWhatIsLost() throws SQLException {
        SQLException second = new SQLException("It is still gone");
        doThrow(failure).when(connection).commit();
        doThrow(second).when(connection).rollback();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ConnectionCleanup.commit(connection, () -> {}))
                .withMessageContaining("after the commit of a transaction is lost")
                .withCause(failure);
        assertThat(failure.getSuppressed()).containsExactly(second);
    }

    @Test
    void aTransactionThatCannotBeRolledBackIsReported() throws SQLException {
        doThrow(failure).when(connection).rollback();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ConnectionCleanup.rollBack(connection))
                .withMessageContaining("could not be rolled back")
                .withCause(failure);
    }
}
