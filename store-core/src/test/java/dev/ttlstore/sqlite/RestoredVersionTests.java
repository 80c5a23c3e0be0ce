package dev.ttlstore.sqlite;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The versions of a store that was restored from a backup. */
@Promise({9, 20, 21})
@Timeout(120)
class RestoredVersionTests extends BackedUpFile {

    @Test
    void aRestoredStoreUsesNoVersionThatWasUsedAfterTheBackup() throws Exception {
        try (Store store = open()) {
            newVersion(store);
            store.backup(backup);
            IntStream.range(0, 20_001).forEach(i -> newVersion(store));
        }
        long lost;
        try (Store store = open()) {
            lost = newVersion(store);
        }
        loseAndRestore();
        long again;
        try (Store store = open()) {
            again = newVersion(store);
            assertThat(again).isGreaterThan(lost);
            IntStream.range(0, 100).forEach(i -> newVersion(store));
        }
        try (Store store = open()) { // an ordinary store now
            assertThat(newVersion(store)).isGreaterThan(again).isLessThan(again + 50_000);
        }
        loseAndRestore();
        try (Store store = open()) {
            assertThat(newVersion(store)).isGreaterThan(again + 101);
        }
    }

    /** The first restoration has put the sequence ahead of the time, for more than an hour. */
    @Test
    void aBackupOfARestoredStoreThatIsRestoredTwiceUsesNoVersionTwice() throws Exception {
        try (Store store = open()) {
            store.group("group").put("key", "value");
            store.backup(backup);
        }
        loseAndRestore();
        Files.delete(backup);
        try (Store store = open()) {
            store.backup(backup);
        }
        Set<Long> versions = new HashSet<>();
        for (int restoration = 0; restoration < 10; restoration++) {
            loseAndRestore();
            try (Store store = open()) {
                assertThat(versions.add(newVersion(store))).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void aClockThatTellsTheSameTimeAgainDoesNotLeadToTheSameVersions(long daysAhead) throws Exception {
        InstantSource clock = InstantSource.fixed(Instant.now().plus(Duration.ofDays(daysAhead)));
        try (Store store = Store.builder().path(file).clock(clock).open()) {
            store.backup(backup);
        }
        Set<Long> versions = new HashSet<>();
        for (int restoration = 0; restoration < 5; restoration++) {
            loseAndRestore();
            try (Store store = Store.builder().path(file).clock(clock).open()) {
                assertThat(versions.add(newVersion(store))).isTrue();
            }
        }
    }

    @Test
    void aClockThatIsWrongDoesNotLeadToTheSameVersions() throws Exception {
        try (Store store = open()) {
            store.backup(backup);
        }
        long lost;
        try (Store store = open()) {
            lost = newVersion(store);
        }
        loseAndRestore();
        try (Store store = Store.builder()
                .path(file)
                .clock(InstantSource.fixed(Instant.EPOCH))
                .open()) {
            assertThat(newVersion(store)).isGreaterThan(lost + 1_000_000_000L);
        }
    }
}
