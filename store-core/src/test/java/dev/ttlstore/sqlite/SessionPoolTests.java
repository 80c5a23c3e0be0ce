package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Who waits for the session that writes. */
@Promise(22)
class SessionPoolTests {

    @Test
    void aCheckWaitsForACommitThatDoesNotEndNoLongerThanItsLimit(@TempDir Path folder) {
        try (SqliteSession session =
                SqliteSession.open("jdbc:sqlite:" + folder.resolve("store.db"), new SqliteErrors("a test"))) {
            SessionPool pool = new SessionPool(session);
            boolean held = pool.with(writing -> {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> pool.requireReturned(Duration.ofMillis(1)))
                        .withMessageContaining("has not ended")
                        .withMessageContaining("a codec, a cipher");
                return true;
            });
            assertThat(held).isTrue();
            pool.requireReturned(Duration.ofMillis(1));
        }
    }
}
