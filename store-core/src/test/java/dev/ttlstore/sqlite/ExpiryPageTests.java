package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Everything ends at midnight: a page of a walk costs a page, wherever it is among entries of one expiry. */
@Promise(7)
class ExpiryPageTests {

    private static final int ENTRIES = 10_000;
    private static final Duration TTL = Duration.ofHours(1);
    private static final Instant MIDNIGHT = MovableClock.START.plus(TTL);

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private Path file = Path.of("unset");

    @BeforeEach
    void fill() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        try (Store store = settings().open()) {
            Map<String, String> entries = new HashMap<>();
            for (int i = 0; i < ENTRIES; i++) {
                entries.put("key%05d".formatted(i), "value");
            }
            store.group("group").putAll(entries, TTL);
        }
    }

    @Test
    void aPageOfWhatExpiresAtOnceCostsTheSameAtItsBeginningAndItsEnd() throws SQLException {
        long due = MIDNIGHT.toEpochMilli();
        long first = work(SqliteReads.EXPIRIES, due, "", "", due + 1, "", "~", due, due + 1, 256);
        long last = work(SqliteReads.EXPIRIES, due, "group", "key09700", due + 1, "", "~", due, due + 1, 256);
        assertThat(first).isPositive();
        assertThat(last).isLessThan(first * 3 / 2);
    }

    @Test
    void aPageOfWhatWasRetainedAtOnceCostsTheSameAtItsBeginningAndItsEnd() throws SQLException {
        clock.advance(TTL);
        try (Store store = settings().open()) {
            assertThat(store.purgeExpired()).isEqualTo(ENTRIES);
        }
        long due = MIDNIGHT.toEpochMilli();
        long first = work(SqliteReads.RETAINED, due, "", "", 0L, due + 1, "", "~", 16);
        long last = work(SqliteReads.RETAINED, due, "group", "key09900", 0L, due + 1, "", "~", 16);
        assertThat(first).isPositive();
        assertThat(last).isLessThan(first * 3 / 2);
    }

    @Test
    void walksOverWhatExpiresAtOnceTellAllOfItOnceAndInOrder() {
        try (Store store = settings().open()) {
            assertThat(store.expiring(MovableClock.START, MIDNIGHT.plusMillis(1))
                            .map(entry -> entry.key()))
                    .hasSize(ENTRIES)
                    .isSorted()
                    .doesNotHaveDuplicates();
            clock.advance(TTL);
            assertThat(store.expired(MovableClock.START, MIDNIGHT.plusMillis(1)).map(entry -> entry.key()))
                    .hasSize(ENTRIES)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void whatIsPurgedWhileItIsWalkedOverIsToldOnceAndInOrder() {
        clock.advance(TTL);
        try (Store store = settings().open()) {
            int[] told = {0};
            assertThat(store.expired(MovableClock.START, MIDNIGHT.plusMillis(1))
                            .peek(entry -> {
                                if (++told[0] % 1_000 == 300) {
                                    store.group("group").put("key%05d".formatted(told[0] + 500), "again");
                                } else if (told[0] == 7_000) {
                                    store.purgeExpired();
                                }
                            })
                            .map(entry -> entry.key()))
                    .hasSize(ENTRIES)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    /** How many instructions of SQLite's machine a statement takes. */
    private long work(String sql, Object... parameters) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            long[] instructions = {0};
            ProgressHandler.setHandler(connection, 1, new ProgressHandler() {
                @Override
                protected int progress() {
                    instructions[0]++;
                    return 0;
                }
            });
            int limit = (int) parameters[parameters.length - 1];
            int rows = 0;
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows++;
                }
            }
            ProgressHandler.clearHandler(connection);
            assertThat(rows).isPositive().isLessThanOrEqualTo(limit);
            return instructions[0];
        }
    }

    private StoreBuilder settings() {
        return Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .retention(Duration.ofDays(1));
    }
}
