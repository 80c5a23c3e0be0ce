package dev.ttlstore.postgresql;

import java.sql.Connection;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a store refuses in a transaction of the application. */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedRefusalTests extends JoinedStore {

    @Test
    void higherIsolationIsRefusedUnlessTheTransactionOnlyReads() throws Exception {
        group.put("key", "value");
        for (int isolation : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            assertThatThrownBy(() -> transactions.run(isolation, false, transaction -> group.put("key", "changed")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Begin the transaction with READ COMMITTED");
            transactions.run(
                    isolation, true, transaction -> assertThat(group.get("key")).contains("value"));
        }
        assertThat(seen.get("key")).contains("value");
    }

    @Test
    void aTransactionThatOnlyReadsRefusesWrites() throws Exception {
        group.put("key", "value");
        transactions.run(Connection.TRANSACTION_READ_COMMITTED, true, transaction -> {
            assertThat(group.get("key")).contains("value");
            assertThatIllegalStateException()
                    .isThrownBy(() -> group.put("key", "changed"))
                    .withMessageContaining("to read only");
            assertThat(group.get("key")).contains("value");
        });
        assertThat(seen.get("key")).contains("value");
    }

    @Test
    void asynchronousWritesAreRefused() throws Exception {
        transactions.run(transaction -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> group.async().put("key", "value"))
                    .withMessageContaining("asynchronous");
        });
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    void aClosedStoreIsRefused() throws Exception {
        transactions.run(transaction -> {
            assertThat(group.get("key")).isEmpty();
            store.close();
            assertThatThrownBy(() -> group.get("key")).isInstanceOf(StoreClosedException.class);
            assertThatThrownBy(() -> group.put("key", "value")).isInstanceOf(StoreClosedException.class);
        });
    }
}
