package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Where renewals leave rows in the expiry index. What is promised of them is in the contract. */
@Promise({3, 6})
class LateMoveTests {

    private static final Duration TTL = Duration.ofMinutes(30);

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private Path file = Path.of("unset");
    private Store store = Store.inMemory();

    @BeforeEach
    void open() {
        store.close();
        file = folder.resolve("store.db");
        store = Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open();
        group().put("key", "value", TTL);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private TextGroup group() {
        return store.group("group");
    }

    @Test
    void aRenewalLeavesTheIndexAloneForAWhile() throws SQLException {
        clock.advance(Duration.ofMinutes(10));
        group().expire("key", TTL);
        assertThat(lagMinutes()).isEqualTo(10);
        clock.advance(Duration.ofMillis(1));
        group().expire("key", TTL);
        assertThat(lagMinutes()).isZero();
    }

    @Test
    void soDoesAPutInPlaceOfALivingEntry() throws SQLException {
        clock.advance(Duration.ofMinutes(5));
        group().put("key", "other", TTL);
        assertThat(lagMinutes()).isEqualTo(5);
        clock.advance(Duration.ofMinutes(6));
        group().put("key", "another", TTL);
        assertThat(lagMinutes()).isZero();
    }

    @Test
    void aPurgeMovesWhatIsDueAndWasRenewed() throws SQLException {
        clock.advance(Duration.ofMinutes(10));
        group().expire("key", TTL);
        clock.advance(Duration.ofMinutes(20));
        assertThat(store.purgeExpired()).isZero();
        assertThat(lagMinutes()).isZero();
    }

    @Test
    void aShorterTtlMovesAtOnce() throws SQLException {
        group().expire("key", Duration.ofMinutes(1));
        assertThat(lagMinutes()).isZero();
        clock.advance(Duration.ofMinutes(2));
        assertThat(store.purgeExpired()).isEqualTo(1);
    }

    private long lagMinutes() throws SQLException {
        List<String> lags = Sql.query(file, "SELECT (expires_at - due_at) / 60000 FROM entry");
        assertThat(lags).hasSize(1);
        return Long.parseLong(lags.get(0));
    }
}
