package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Recorder;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.exception.StoreFormatException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(21)
class LegacyLayoutTests {

    private static final String WITH_EXPIRY = """
            CREATE TABLE kv (grp TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires_at INTEGER,
                             PRIMARY KEY (grp, key))
            """;
    private static final String WITHOUT_EXPIRY =
            "CREATE TABLE kv (grp TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (grp, key))";

    private static final long SOON = MovableClock.START.plusMillis(1_000).toEpochMilli();
    private static final long PAST = MovableClock.START.minusMillis(1_000).toEpochMilli();

    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    void theEntriesOfTheOlderLayoutAreTakenOverWithTheirExpiry() throws SQLException {
        Sql.run(
                file,
                WITH_EXPIRY,
                "INSERT INTO kv VALUES ('group', 'permanent', 'value', NULL)",
                "INSERT INTO kv VALUES ('group', 'expiring', 'value', " + SOON + ")",
                "INSERT INTO kv VALUES ('group', 'expired', 'value', " + PAST + ")",
                "INSERT INTO kv VALUES ('group', 'empty', '', NULL)",
                "INSERT INTO kv VALUES ('gruppe ä', 'ключ 🔑', 'wért €', NULL)");

        try (Store store = open()) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("empty", "expiring", "permanent");
            assertThat(store.group("group").get("permanent")).contains("value");
            assertThat(store.group("group").get("empty")).contains("");
            assertThat(store.group("gruppe ä").get("ключ 🔑")).contains("wért €");
            assertThat(store.group("group").entry("expiring").orElseThrow().expiresAt())
                    .isEqualTo(Instant.ofEpochMilli(SOON));
            assertThat(store.stats().expired()).isEqualTo(1);
            clock.advance(Duration.ofSeconds(1));
            assertThat(store.group("group").get("expiring")).isEmpty();
        }
    }

    @Test
    void theEntriesOfTheLayoutWithoutExpiryAreTakenOverForGood() throws SQLException {
        Sql.run(
                file,
                WITHOUT_EXPIRY,
                "INSERT INTO kv VALUES ('group', 'key', 'value')",
                "INSERT INTO kv VALUES ('group', 'empty', '')",
                "INSERT INTO kv VALUES ('other', 'key', 'other')");

        try (Store store = open()) {
            assertThat(store.groups()).containsExactly("group", "other");
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(store.group("group").get("empty")).contains("");
            assertThat(store.group("group").entry("key").orElseThrow().expiresAt())
                    .isNull();
        }
    }

    @Test
    void anEmptyOlderLayoutIsTakenOver() throws SQLException {
        Sql.run(file, WITH_EXPIRY);
        try (Store store = open()) {
            assertThat(store.count()).isZero();
            store.group("group").put("key", "value");
        }
    }

    @Test
    void aStoreThatWasTakenOverIsOneLikeAnyOther() throws SQLException {
        Sql.run(
                file,
                WITH_EXPIRY,
                "INSERT INTO kv VALUES ('group', 'key', 'value', NULL)",
                "INSERT INTO kv VALUES ('group', 'old', 'value', " + PAST + ")");
        open().close();
        assertThat(Sql.query(file, "SELECT name FROM sqlite_schema WHERE name = 'kv'"))
                .isEmpty();
        assertThat(Sql.query(file, "PRAGMA application_id")).containsExactly(String.valueOf(0x54544C53));
        assertThat(Sql.query(file, "PRAGMA user_version")).containsExactly("9");
        try (Store store = open()) {
            Recorder recorder = new Recorder();
            store.onChange(recorder);
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(store.purgeExpired()).isEqualTo(1);
            assertThat(recorder.events(EntryExpired.class))
                    .extracting(EntryExpired::key)
                    .containsExactly("old");
        }
    }

    @Test
    @Promise({9, 21})
    void entriesThatAreTakenOverHaveVersionsOfTheirOwnAndNewOnesComeAfter() throws SQLException {
        Sql.run(
                file,
                WITHOUT_EXPIRY,
                "INSERT INTO kv VALUES ('group', 'a', '1'), ('group', 'b', '2'), ('other', 'a', '3')");
        try (Store store = open()) {
            long a = version(store, "group", "a");
            long b = version(store, "group", "b");
            long other = version(store, "other", "a");
            store.group("group").put("a", "new");
            assertThat(List.of(a, b, other)).doesNotHaveDuplicates().allMatch(version -> version > 0);
            assertThat(version(store, "group", "a")).isGreaterThan(Math.max(a, Math.max(b, other)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "('group', '', 'v', NULL)",
                "('', 'key', 'v', NULL)",
                "('group', 'a' || char(0), 'v', NULL)",
                "('group', CAST(x'ff' AS TEXT), 'v', NULL)",
                "('group', 'text', 'v', '2099-01-01')",
                "('group', 'seconds', 'v', 1893456000)"
            })
    void aRowThatIsNoEntryIsRefusedAndNothingIsChanged(String row) throws IOException, SQLException {
        Sql.run(
                file,
                WITH_EXPIRY,
                "INSERT INTO kv VALUES ('group', 'key', 'value', NULL)",
                "INSERT INTO kv VALUES " + row);
        refusesUntouched("1 of its entries");
    }

    @Test
    void aKeyThatIsTooLongIsRefusedAndNothingIsChanged() throws IOException, SQLException {
        Sql.run(
                file,
                WITH_EXPIRY,
                "INSERT INTO kv VALUES ('group', '" + "é".repeat(512) + "', 'fits', NULL)",
                "INSERT INTO kv VALUES ('group', '" + "é".repeat(513) + "', 'does not', NULL)");
        refusesUntouched("1 of its entries");
    }

    @Test
    void aMissingValueIsRefusedAndNothingIsChanged() throws IOException, SQLException {
        Sql.run(file, "CREATE TABLE kv (grp, key, value, expires_at)", "INSERT INTO kv VALUES ('g', 'k', NULL, NULL)");
        refusesUntouched("1 of its entries");
    }

    @Test
    void columnsMayBeWrittenInCapitals() throws SQLException {
        Sql.run(file, "CREATE TABLE kv (GRP TEXT, Key TEXT, Value TEXT)", "INSERT INTO kv VALUES ('g', 'k', 'v')");
        try (Store store = open()) {
            assertThat(store.group("g").get("k")).contains("v");
        }
    }

    @Test
    void aFileWithATableOfOurNamesIsSomebodyElses() throws IOException, SQLException {
        Sql.run(file, WITH_EXPIRY, "CREATE TABLE entry (id INTEGER)");
        refusesUntouched("another application");
    }

    @Test
    void aTableOfThatNameWithOtherColumnsIsSomebodyElses() throws IOException, SQLException {
        Sql.run(file, "CREATE TABLE kv (key TEXT, value TEXT)", "INSERT INTO kv VALUES ('key', 'value')");
        refusesUntouched("another application");
    }

    private void refusesUntouched(String reason) throws IOException {
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining(reason);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private Store open() {
        return Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
    }

    private static long version(Store store, String group, String key) {
        return store.group(group).entry(key).orElseThrow().version();
    }
}
