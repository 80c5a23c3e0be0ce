package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Entry;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.SmallDisk;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.commit.EngineWrites;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** Stores that earlier versions have written. */
@Promise(21)
class MigrationTests {

    /** Other entries of a store of version 6. */
    private static final String[] ENTRIES_OF_VERSION_6 = {
        "DELETE FROM entry",
        "INSERT INTO entry VALUES (1, 'group', 'b', 5, 100, 200, NULL, NULL, CAST('old' AS BLOB))",
        "INSERT INTO entry VALUES (2, 'group', 'a', 6, 300, 400, 32503680000000, 1000, CAST('young' AS BLOB))",
        "INSERT INTO entry VALUES (3, 'other', 'c', 7, 100, 200, NULL, NULL, CAST('other' AS BLOB))",
    };

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameTheFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private void write(int version) throws SQLException {
        EarlierLayouts.write(file, version);
    }

    private void assertMigrated() throws SQLException {
        assertThat(Sql.query(file, "PRAGMA user_version")).containsExactly("9");
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @Test
    void aStoreOfVersion1IsMigratedWithItsData() throws SQLException {
        write(1);
        try (Store store = Store.open(file)) {
            TextGroup group = store.group("group");
            assertThat(group.getAll()).containsOnlyKeys("permanent", "living");
            assertThat(group.get("permanent")).contains("for good");
            assertThat(group.entry("living")).hasValueSatisfying(entry -> {
                assertThat(entry.version()).isEqualTo(8);
                assertThat(entry.createdAt().toEpochMilli()).isEqualTo(900);
                assertThat(entry.updatedAt().toEpochMilli()).isEqualTo(950);
                assertThat(entry.value()).isEqualTo("for long");
            });
        }
        assertMigrated();
    }

    @Test
    void aStoreOfVersion2IsMigratedWithItsDataAndWhatItRetained() throws SQLException {
        write(2);
        try (Engine engine = Sqlite.file(file).open(new EngineSettings(false, Duration.ZERO, InstantSource.system()))) {
            assertThat(engine.stats(2_000).totals()).isEqualTo(new Totals(2, 1, 1));
            assertThat(engine.reads()
                            .page(Scan.retained(GroupRange.ALL, 0, 2_000, 10))
                            .rows())
                    .extracting(row -> row.key().key())
                    .containsExactly("former");
            assertThat(engine.reads()
                            .expiring(ExpiryScan.expired(GroupRange.ALL, 2_000, 10))
                            .next())
                    .extracting(row -> row.key().key())
                    .containsExactly("expired");
            assertThat(engine.reads().get(new RowKey("group", "living"), Reads.ALL))
                    .satisfies(row -> {
                        assertThat(row.value()).isEqualTo("for long".getBytes(UTF_8));
                        assertThat(row.version()).isEqualTo(8);
                        assertThat(row.expiresAt()).isEqualTo(32_503_680_000_000L);
                    });
        }
        assertMigrated();
        assertThat(Sql.query(file, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"))
                .containsExactly(
                        "aged_group", "delivery", "entry", "mark", "retained", "sqlite_sequence", "subscriber");
    }

    @Test
    void whatAStoreOfVersion2RetainedIsForgottenByGroup() throws SQLException {
        write(2);
        InstantSource time = () -> Instant.ofEpochMilli(2_000);
        GroupSettings kept = GroupSettings.defaults().withRetention(Duration.ofMillis(1_501));
        try (Store store = Store.builder()
                .path(file)
                .clock(time)
                .purgeInterval(Duration.ZERO)
                .group("group", kept)
                .open()) {
            store.purgeExpired();
            assertThat(store.expired(Instant.MIN, Instant.MAX).map(RetainedEntry::key))
                    .containsExactly("former", "expired");
        }
        try (Store store = Store.builder()
                .path(file)
                .clock(time)
                .purgeInterval(Duration.ZERO)
                .group("group", kept.withRetention(Duration.ofMillis(1_500)))
                .open()) {
            store.purgeExpired();
            assertThat(store.expired(Instant.MIN, Instant.MAX).map(RetainedEntry::key))
                    .containsExactly("expired");
        }
    }

    @Test
    @Promise({17, 21})
    void aStoreOfVersion3IsMigratedWithItsDataAndCanTellOfExpiries() throws SQLException {
        write(3);
        CountDownLatch told = new CountDownLatch(1);
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("permanent")).contains("for good");
            Subscription unused = store.onExpired("mail", "group", entry -> {
                assertThat(entry.value()).isEqualTo("for once");
                told.countDown();
            });
            Threads.await(told);
        }
        assertMigrated();
    }

    @Test
    @Promise({17, 21})
    void ofTheDeliveriesOfAStoreOfVersion4TheFirstOfEachKeyIsDueAndTheOthersWaitForIt() throws SQLException {
        write(4);
        Store.open(file).close();
        assertThat(Sql.query(file, "SELECT id || ' ' || ifnull(next_at, 'dead') FROM delivery ORDER BY id"))
                .containsExactly("1 dead", "2 200", "3 900", "4 " + Long.MAX_VALUE, "5 " + Long.MAX_VALUE);
        assertThat(Sql.query(file, "SELECT name FROM sqlite_schema WHERE name LIKE 'delivery_%' ORDER BY name"))
                .containsExactly("delivery_age", "delivery_due", "delivery_live");
        assertMigrated();
        List<String> told = new CopyOnWriteArrayList<>();
        try (Store store = Store.open(file)) {
            Subscription unused = store.onExpired("mail", "group", entry -> told.add(entry.value()));
            Awaitility.await().until(() -> told.size() == 5);
            assertThat(store.deadLetters("mail").count()).isEqualTo(1);
        }
        assertThat(told).contains("b3", "for once").containsSubsequence("a2", "a4", "a5");
    }

    @Test
    @Promise({1, 6, 21})
    void inAStoreOfVersion5TimesThatContradictEachOtherAreMended() throws SQLException {
        write(5);
        Store.open(file).close();
        assertThat(Sql.query(file, "SELECT id || ' ' || key || ' ' || ifnull(due_at, '-') FROM entry ORDER BY id"))
                .containsExactly(
                        "1 permanent -",
                        "2 expired 1000",
                        "3 renewed 1200",
                        "5 never due 1000",
                        "8 due too late 1000",
                        "9 due though permanent -");
        assertMigrated();
        try (Store store = Store.open(file)) {
            assertThat(store.purgeExpired()).isEqualTo(4);
            assertThat(store.group("group").getAll()).containsOnlyKeys("permanent", "due though permanent");
        }
    }

    @Test
    @Promise({17, 21})
    void theSubscribersOfAStoreOfVersion6GetTheirGroupsAndAnotherOneGetsAPattern() throws SQLException {
        write(6);
        List<String> told = new CopyOnWriteArrayList<>();
        try (Store store = Store.open(file)) {
            assertThat(store.expirySubscribers())
                    .extracting(ExpirySubscriber::name, ExpirySubscriber::groups, ExpirySubscriber::prefix)
                    .containsExactly(tuple("mail", "group", false), tuple("users", "user-", true));
            Subscription unused = store.onExpiredMatching(
                    "pattern", new GroupPattern("*:group"), String.class, entry -> told.add(entry.value()));
            assertThat(store.purgeExpired()).isBetween(0L, 3L); // the purge on time may be first
            Subscription unusedToo = store.onExpired("mail", "group", entry -> told.add(entry.value()));
            Subscription unusedAsWell =
                    store.onExpiredPrefix("users", "user-", String.class, entry -> told.add(entry.value()));
            Awaitility.await().until(() -> told.size() == 3);
        }
        assertThat(told).containsExactlyInAnyOrder("a", "g", "u");
        assertMigrated();
    }

    @Test
    @Promise({6, 21})
    void aStoreOfVersion6GetsAnAgeIndexForTheGroupsThatAskForOne() throws SQLException {
        write(6);
        Sql.run(file, ENTRIES_OF_VERSION_6);
        GroupSettings indexed = GroupSettings.defaults().withAgeIndex(true);
        try (Store store = Store.builder().path(file).group("group", indexed).open()) {
            assertThat(store.group("group").createdBefore(Instant.ofEpochMilli(301)))
                    .extracting(Entry::value)
                    .containsExactly("old", "young");
            assertThat(store.group("other").get("c")).contains("other");
        }
        assertThat(Sql.query(file, "SELECT id || ' ' || ifnull(aged_at, '-') FROM entry ORDER BY id"))
                .containsExactly("1 100", "2 300", "3 -");
        assertMigrated();
    }

    private static String insert(String times) {
        return "INSERT INTO entry (grp, key, version, created_at, updated_at, expires_at, due_at, value)"
                + " VALUES ('g', 'k', 9, 1, 1, " + times + ", x'')";
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL, 1000", "1000, NULL", "1000, 1001"})
    @Promise(6)
    void timesThatContradictEachOtherAreNotTaken(String times) throws SQLException {
        write(1);
        Store.open(file).close();
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> Sql.run(file, insert(times)))
                .withMessageContaining("CHECK");
    }

    /** Only a program that tells SQLite to look away can make such a row. */
    @Test
    @Promise(6)
    void aPurgeOnTimeThatFindsARowItCannotMoveDoesNotSpin() throws SQLException {
        write(1);
        Store.open(file).close();
        Sql.run(file, "PRAGMA ignore_check_constraints = ON", insert("NULL, 1000"));
        try (Store store =
                Store.builder().path(file).purgeInterval(Duration.ZERO).open()) {
            Subscription unused = store.onChange(event -> {});
            Awaitility.await().until(() -> store.activity().commits() > 0);
            Awaitility.await()
                    .during(Duration.ofMillis(500))
                    .until(() -> store.activity().commits() < 5);
        }
    }

    @Test
    @Promise({9, 21})
    void theSequenceOfAMigratedStoreGoesOn() throws SQLException {
        write(1);
        try (Store store = Store.open(file)) {
            store.group("group").put("new", "value");
            assertThat(store.group("group").entry("new"))
                    .hasValueSatisfying(entry -> assertThat(entry.version()).isEqualTo(13));
        }
    }

    @Test
    void aMigratedStoreCanRetainWhatExpires() throws SQLException {
        write(1);
        try (Engine engine = Sqlite.file(file).open(new EngineSettings(false, Duration.ZERO, InstantSource.system()))) {
            PurgeResult purged = EngineWrites.run(
                    engine, new Command.Purge(GroupRange.ALL, 2_000, 10, () -> true, () -> true), GroupRange.ALL);
            assertThat(purged.removed()).containsExactly(new ExpiryRow(new RowKey("group", "expired"), 9, 1_000, 15));
            assertThat(engine.stats(2_000).totals()).isEqualTo(new Totals(2, 0, 1));
            assertThat(engine.reads()
                            .page(Scan.retained(GroupRange.ALL, 0, 2_000, 10))
                            .rows())
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.version()).isEqualTo(9);
                        assertThat(row.value()).isEqualTo("for once".getBytes(UTF_8));
                    });
        }
    }

    @Test
    @Promise(23)
    @EnabledOnOs(OS.LINUX)
    void aMigrationThatDoesNotFitOnItsDiskSaysHowMuchToFreeAndIsDoneWhenThereIsRoom() throws IOException, SQLException {
        try (SmallDisk disk = SmallDisk.inMemory(folder.toRealPath(), 16)) {
            Path onDisk = disk.file("store.db");
            EarlierLayouts.write(onDisk, 1);
            Sql.run(onDisk, """
                    INSERT INTO entry
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    SELECT 'many', 'key' || i, zeroblob(1000), i, 100, 200, NULL FROM n
                    """, "UPDATE mark SET sequence = 1000");
            byte[] before = Files.readAllBytes(onDisk);
            Path filler = disk.fill();
            try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 500_000); // enough to open the file, but not for its rows once more
            }
            assertThatExceptionOfType(StoreFullException.class)
                    .isThrownBy(() -> Store.open(onDisk))
                    .withMessageContaining(onDisk.toString())
                    .withMessageContaining("from layout 1 to 9")
                    .withMessageContaining("twice the size");
            assertThat(Files.readAllBytes(onDisk)).isEqualTo(before);
            Files.delete(filler);
            try (Store store = Store.open(onDisk)) {
                assertThat(store.group("many").count()).isEqualTo(1_000);
            }
        }
    }

    @Test
    void aMigrationThatFailsLeavesTheFileAsItWasAndSaysSo() throws IOException, SQLException {
        write(1);
        Sql.run(file, "CREATE TABLE retained (note TEXT)", "INSERT INTO retained VALUES ('mine')");
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(() -> Store.open(file))
                .satisfies(refusal -> assertThat(refusal.path()).isEqualTo(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("from layout 1 to 9")
                .withMessageContaining("was not changed")
                .withMessageContaining("retained");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(Sql.query(file, "SELECT note FROM retained")).containsExactly("mine");
    }
}
