package dev.ttlstore.sqlite;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.HighWater;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Promise({8, 23})
class SqliteSessionTests {

    private final SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"));

    @BeforeEach
    void createSchema() {
        SqliteSchema.prepare(session);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aTransactionWhoseWorkThrowsLeavesNothingBehind() {
        fails(() -> save(1));
        assertThat(state()).isEqualTo(new HighWater(0, 0));
    }

    @Test
    void aRollbackThatHasNothingToDoDoesNotSpoilTheNextOne() {
        // SQLite ends a transaction itself when the disk fails; the rollback that follows finds none.
        fails(() -> session.execute("ROLLBACK"));
        fails(() -> save(1));
        session.inTransaction(() -> {
            save(2);
            return true;
        });
        assertThat(state()).isEqualTo(new HighWater(2, 0));
    }

    private void fails(Runnable work) {
        assertThatIllegalStateException()
                .isThrownBy(() -> session.inTransaction(() -> {
                    work.run();
                    throw new IllegalStateException("on purpose");
                }));
    }

    private void save(long sequence) {
        Transactions.of(session).save(new HighWater(sequence, 0));
    }

    private HighWater state() {
        return SequenceRow.read(session);
    }
}
