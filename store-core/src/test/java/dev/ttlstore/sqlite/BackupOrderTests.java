package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which of several backups is the newest, whatever a wrong clock has named them. */
@Promise({9, 21})
@Timeout(60)
class BackupOrderTests extends BackedUpFile {

    private final MovableClock clock = new MovableClock();

    @BeforeEach
    void setClock() {
        clock.set(Instant.now().minus(Duration.ofHours(1)));
    }

    private Store openOrRestore() {
        return Store.builder()
                .engine(Sqlite.file(file).restoreFrom(backups()))
                .clock(clock)
                .open();
    }

    private Path backUp(Store store, String value, String time) {
        clock.advance(Duration.ofMinutes(1));
        store.group("group").put("key", value);
        return store.backup(backups().resolve("store.db." + time + ".backup")).path();
    }

    private String restored() throws IOException {
        Files.delete(file);
        try (Store store = openOrRestore()) {
            return store.group("group").get("key").orElseThrow();
        }
    }

    @Test
    void aBackupWithANameAYearAheadIsOnlyTheNewestUntilTheNextOne() throws IOException {
        try (Store store = openOrRestore()) {
            Path ahead = backUp(store, "first", "2099-01-01");
            Path second = backUp(store, "second", "2026-01-02");
            Path third = backUp(store, "third", "2026-01-01");
            assertThat(store.backups(backups())).containsExactly(ahead, second, third);
            assertThat(Sqlite.file(file).newestBackup(backups())).contains(third);
        }
        assertThat(restored()).isEqualTo("third");
    }

    /** The time in the file is then as wrong as the one in its name. */
    @Test
    void aBackupOfAStoreWithAClockThatWasAheadHasItsPlaceBetweenTheOthers() throws IOException {
        Path before;
        Path ahead;
        try (Store store = openOrRestore()) {
            before = backUp(store, "before", "2026-01-01");
            clock.advance(Duration.ofDays(365));
            ahead = backUp(store, "ahead", "2027-01-01");
        }
        clock.advance(Duration.ofDays(-365));
        try (Store store = openOrRestore()) {
            Path after = backUp(store, "after", "2026-01-02");
            assertThat(store.backups(backups())).containsExactly(before, ahead, after);
        }
        assertThat(restored()).isEqualTo("after");
    }

    /** Machines without a battery start with such a clock. */
    @Test
    void aBackupOfAStoreWithAClockFrom1970IsNewerThanThoseBeforeIt() throws IOException {
        Instant right = clock.instant();
        Path before;
        Path early;
        try (Store store = openOrRestore()) {
            before = backUp(store, "before", "2026-01-01");
        }
        clock.set(Instant.EPOCH.plusSeconds(60));
        try (Store store = openOrRestore()) {
            early = backUp(store, "early", "1970-01-01");
        }
        assertThat(Sqlite.file(file).newestBackup(backups())).contains(early);
        clock.set(right.plusSeconds(600));
        try (Store store = openOrRestore()) {
            Path after = backUp(store, "after", "2026-01-02");
            assertThat(store.backups(backups())).containsExactly(before, early, after);
        }
        assertThat(restored()).isEqualTo("after");
    }

    @Test
    void theBackupsOfAStoreThatWasMadeAnewAreNewerThanThoseOfTheOldOne() throws IOException {
        try (Store store = openOrRestore()) {
            for (int i = 0; i < 100; i++) {
                newVersion(store);
            }
            backUp(store, "old", "2026-01-01");
        }
        Files.delete(file);
        try (Store store =
                Store.builder().engine(Sqlite.file(file)).clock(clock).open()) {
            backUp(store, "new", "2026-01-02");
        }
        assertThat(restored()).isEqualTo("new");
    }

    @Test
    void ofBackupsWithTheSameContentTheLastNameCounts() {
        try (Store store = openOrRestore()) {
            Path later = backUp(store, "value", "2026-01-02");
            Path earlier = store.backup(backups().resolve("store.db.2026-01-01.backup"))
                    .path();
            assertThat(store.backups(backups())).containsExactly(earlier, later);
        }
    }

    @Test
    void aDamagedBackupWithTheLastNameIsReportedAndNotPassedOver() throws IOException {
        Path damaged = backups().resolve("store.db.2026-01-02.backup");
        try (Store store = openOrRestore()) {
            Path first = backUp(store, "value", "2026-01-01");
            Path last = backUp(store, "value", "2026-01-03");
            Files.writeString(damaged, "damaged");
            assertThat(store.backups(backups())).containsExactly(damaged, first, last);
        }
        assertThat(restored()).isEqualTo("value");
        Files.move(damaged, backups().resolve("store.db.2026-01-04.backup"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::restored)
                .withMessageContaining("2026-01-04");
        assertThat(List.of(file)).noneMatch(Files::exists);
    }
}
