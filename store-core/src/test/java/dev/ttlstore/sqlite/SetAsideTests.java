package dev.ttlstore.sqlite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.support.OwnerState;

import static dev.ttlstore.contract.Assertions.assertThat;

/** When the numbers that a store sets aside are brought to the disk. */
@Promise({9, 11})
class SetAsideTests {

    /** As many as are set aside at a time. */
    private static final int BLOCK = 10_000;

    @Test
    void aBlockIsBroughtToTheDiskOnceAndAgainIfThatHasFailed() {
        OwnerState owner = Transactions.owner();
        AtomicInteger syncs = new AtomicInteger();
        AtomicBoolean fails = new AtomicBoolean(true);
        try (SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"))) {
            settings().configure(session, SqliteSettings.Role.MEMORY);
            SqliteSchema.prepare(session);
            Runnable commit = () -> new SqliteCommit(
                            session,
                            owner,
                            () -> {
                                syncs.incrementAndGet();
                                return !fails.get();
                            },
                            false,
                            Integer.MAX_VALUE)
                    .commit(transaction -> owner.next(), () -> {});
            commit.run();
            commit.run();
            assertThat(syncs).hasValue(2);
            fails.set(false);
            for (int i = 0; i < BLOCK; i++) {
                commit.run();
            }
            assertThat(syncs).hasValue(3);
            commit.run();
            commit.run();
            assertThat(syncs).hasValue(4);
        }
    }

    private SqliteSettings settings() {
        return Sqlite.inMemory().settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
    }
}
