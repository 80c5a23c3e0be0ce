package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Values whose bytes are not those that were put. */
@Promise(23)
class ChecksumTests {

    private static final String DAMAGE =
            "UPDATE entry SET value = CAST('chAnged' AS BLOB) WHERE grp = 'group' AND key = 'secret-key'";

    private static final Duration TTL = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private Path file = Path.of("unset");
    private final MovableClock clock = new MovableClock();

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private StoreBuilder builder() {
        return Store.builder().path(file).clock(clock).purgeInterval(Duration.ZERO);
    }

    private void write(Consumer<Store> work) {
        try (Store store = builder().open()) {
            work.accept(store);
        }
    }

    /** Keeps what has expired, and gives a delivery one attempt. */
    private StoreBuilder keeping() {
        return builder()
                .retention(Duration.ofDays(1))
                .expiry(ExpirySettings.defaults().withMaxAttempts(1));
    }

    /** A group of which one value is damaged. */
    private void damage() throws SQLException {
        write(store -> {
            TextGroup group = store.group("group");
            group.put("other", "value");
            group.put("secret-key", "changed", TTL);
        });
        Sql.run(file, DAMAGE);
    }

    @Test
    void itIsNotReturned() throws SQLException {
        damage();
        Map<String, Function<TextGroup, Object>> reads = Map.of(
                "get", group -> group.get("secret-key"),
                "entry", group -> group.entry("secret-key"),
                "getAll", TextGroup::getAll,
                "getAll of keys", group -> group.getAll(List.of("secret-key")),
                "entries", group -> group.entries(KeyRange.all()).toList(),
                "take", group -> group.take("secret-key"),
                "getAndPut", group -> group.getAndPut("secret-key", "new"),
                "getAndExpire", group -> group.getAndExpire("secret-key", TTL),
                "replace", group -> group.replace("secret-key", "chAnged", "new"),
                "update", group -> group.update("secret-key", value -> value + "!"));
        write(store -> reads.forEach((name, read) -> assertThatExceptionOfType(StoreCorruptedException.class)
                .as(name)
                .isThrownBy(() -> read.apply(store.group("group")))
                .withMessageContaining("'group'")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("secret-key", "chAnged"))));
        write(store -> assertThat(store.group("group").entry("other")).isPresent());
    }

    @Test
    void whatDoesNotNeedItWorks() throws SQLException {
        damage();
        write(store -> {
            TextGroup group = store.group("group");
            assertThat(group.contains("secret-key")).isTrue();
            assertThat(group.count()).isEqualTo(2);
            assertThat(group.putIfAbsent("secret-key", "new")).isEmpty();
            assertThat(group.expire("secret-key", TTL.multipliedBy(2))).isTrue();
            assertThat(group.expire("secret-key", Expiry.never())).isTrue();
            assertThatExceptionOfType(StoreCorruptedException.class)
                    .as("a renewal does not hide the damage")
                    .isThrownBy(() -> group.get("secret-key"));
            long unused = group.put("secret-key", "new", TTL);
            assertThat(group.get("secret-key")).contains("new");
        });
        write(store -> assertThat(store.group("group").get("secret-key")).contains("new"));
    }

    @Test
    void itCanBeDeletedAndCountsForTheQuotaUntilThen() throws SQLException {
        write(store -> {
            store.scope("acme").group("group").put("a", "x".repeat(1_000));
            store.scope("acme").group("group").put("b", "y");
        });
        Sql.run(file, "UPDATE entry SET value = zeroblob(500) WHERE key = 'a'");
        write(store -> {
            Scope scope = store.scope("acme");
            assertThat(scope.usage().bytes()).isEqualTo(503);
            assertThat(scope.group("group").delete("a")).isTrue();
            assertThat(scope.usage().bytes()).isEqualTo(2);
            assertThat(store.verify().isSound()).isTrue();
        });
    }

    @Test
    void itCountsAsAbsentIfUnreadableValuesDo() throws SQLException {
        damage();
        try (Store store = builder().unreadableValues(UnreadableValues.ABSENT).open()) {
            TextGroup group = store.group("group");
            assertThat(group.get("secret-key")).isEmpty();
            assertThat(group.getAll()).containsOnlyKeys("other");
            assertThat(store.activity().unreadable()).isEqualTo(2);
            assertThat(group.contains("secret-key")).isTrue();
        }
    }

    @Test
    void aValueOfAnotherEntryOrVersionIsDamage() throws SQLException {
        write(store -> {
            for (String group : List.of("one", "two")) {
                store.group(group).put("a", "first");
                store.group(group).put("b", "second");
            }
        });
        Sql.run(
                file,
                "CREATE TABLE copied AS SELECT key, version, value, checksum FROM entry WHERE grp = 'one'",
                "UPDATE entry SET (version, value, checksum) = (SELECT version, value, checksum FROM copied"
                        + " WHERE copied.key <> entry.key) WHERE grp = 'one'",
                "UPDATE entry SET version = version + 1 WHERE grp = 'two'",
                "DROP TABLE copied");
        write(store -> {
            for (String group : List.of("one", "two")) {
                for (String key : List.of("a", "b")) {
                    assertThatExceptionOfType(StoreCorruptedException.class)
                            .as(group + key)
                            .isThrownBy(() -> store.group(group).get(key));
                }
            }
        });
    }

    @Test
    void anExpiredOneStaysDamagedInEveryTable() throws SQLException {
        for (String overwritten : List.of("", "overwritten")) {
            file = folder.resolve("store" + overwritten + ".db");
            try (Store store = keeping().open()) {
                store.onExpired("mailer", "group", expired -> {}).close();
                store.group("group").put("secret-key", "changed", TTL);
            }
            Sql.run(file, DAMAGE);
            clock.advance(TTL);
            try (Store store = keeping().open()) {
                if (overwritten.isEmpty()) {
                    store.purgeExpired();
                } else {
                    long unusedVersion = store.group("group").put("secret-key", "new");
                }
                assertThat(store.expired(
                                clock.instant().minus(TTL), clock.instant().plus(TTL)))
                        .singleElement()
                        .satisfies(retained -> assertThatExceptionOfType(StoreCorruptedException.class)
                                .isThrownBy(() -> retained.value(Codec.text())));
                List<Finding> findings = store.verify().findings();
                assertThat(findings)
                        .extracting(Finding::kind)
                        .containsOnly(Finding.Kind.VALUE)
                        .hasSize(2);
                store.onExpired("mailer", "group", expired -> {
                    throw new AssertionError("called with " + expired.value());
                });
                await().untilAsserted(() ->
                        assertThat(store.deadLetters("mailer").count()).isEqualTo(1));
                assertThat(store.deadLetters("mailer").stream())
                        .singleElement()
                        .satisfies(dead -> assertThat(dead.lastError()).contains("StoreCorruptedException"));
            }
        }
    }

    @Test
    void verifyingNamesItAndARepairMovesItToTheSideFile() throws SQLException, IOException {
        damage();
        assertThat(Sqlite.file(file).verify(progress -> {}).findings())
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.kind()).isEqualTo(Finding.Kind.VALUE);
                    assertThat(finding.key()).isEqualTo("secret-key");
                });
        RepairReport report = Sqlite.file(file).repair(progress -> {});
        assertThat(report.moved()).isEqualTo(1);
        assertThat(Files.readString(requireNonNull(report.sideFile()))).contains("checksum", "secret-key");
        assertThat(Sqlite.file(file).verify(progress -> {}).isSound()).isTrue();
        write(store -> assertThat(store.group("group").getAll()).containsOnlyKeys("other"));
    }

    @Test
    void itIsNotExportedOrCopied() throws SQLException {
        damage();
        write(store -> assertThatExceptionOfType(StoreCorruptedException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(file.resolveSibling("export.jsonl"))));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> StoreCopy.from(Sqlite.file(file))
                        .to(Sqlite.file(file.resolveSibling("copy.db")))
                        .run())
                .withStackTraceContaining("checksum");
    }

    @Test
    void aChecksumThatIsMissingIsDamage() throws SQLException {
        write(store -> store.group("group").put("key", "value"));
        Sql.run(file, "UPDATE entry SET checksum = NULL");
        write(store -> {
            assertThatExceptionOfType(StoreCorruptedException.class)
                    .isThrownBy(() -> store.group("group").get("key"));
            assertThat(store.verify().findings()).extracting(Finding::kind).containsExactly(Finding.Kind.VALUE);
        });
    }

    @Test
    @Promise({21, 23})
    void theValuesOfAFileOfAnEarlierLayoutGetTheirsWhenItIsMigrated() throws SQLException, IOException {
        DamagedFile.create(file, 21);
        DamagedFile.makeEarlier(file);
        write(store -> assertThat(store.verify().isSound()).isTrue());
        for (String table : List.of("entry", "retained", "delivery")) {
            assertThat(Sql.query(file, "SELECT count(*) > 0 AND count(*) = count(checksum) FROM " + table))
                    .as(table)
                    .containsExactly("1");
            Sql.run(file, "UPDATE " + table + " SET value = x'11'");
        }
        assertThat(Sqlite.file(file).verify(progress -> {}).findings())
                .extracting(Finding::kind)
                .containsOnly(Finding.Kind.VALUE);
    }

    private void writeThreeOfLayout8() throws SQLException {
        write(store -> {
            for (String key : List.of("other", "secret-key", "third")) {
                store.group("group").put(key, "value of " + key);
            }
        });
        DamagedFile.makeEarlier(file);
    }

    @Test
    @Promise({21, 23})
    void aFileOfAnEarlierLayoutWithADamagedRowIsNotMigrated() throws SQLException, IOException {
        for (String damage : List.of(
                "UPDATE entry SET grp = CAST('group' AS BLOB) WHERE key = 'secret-key'",
                "UPDATE entry SET value = 'text' WHERE key = 'secret-key'",
                "UPDATE entry SET value = NULL WHERE key = 'secret-key'",
                "UPDATE entry SET version = 'text' WHERE key = 'secret-key'",
                "UPDATE entry SET updated_at = 'text' WHERE key = 'secret-key'",
                "UPDATE entry SET key = 'changed' WHERE key = 'secret-key'",
                "UPDATE entry SET id = 9 WHERE key = 'third'; UPDATE entry SET id = 3 WHERE key = 'secret-key';"
                        + "UPDATE entry SET id = 2 WHERE key = 'third'",
                "UPDATE mark SET sequence = 1",
                "UPDATE mark SET sequence = -1; DELETE FROM entry",
                "DELETE FROM mark")) {
            file = folder.resolve("store-" + damage.hashCode() + ".db");
            writeThreeOfLayout8();
            if (damage.contains("mark")) {
                Sql.run(file, damage.split(";"));
            } else {
                DamagedFile.change(file, damage.split(";"));
            }
            byte[] before = Files.readAllBytes(file);
            assertThatExceptionOfType(StoreCorruptedException.class)
                    .as(damage)
                    .isThrownBy(() -> builder().open())
                    .withMessageContaining("not migrated");
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
    }

    @Test
    void anUnfinishedCopyOfAnEarlierLayoutIsNotMigrated() throws SQLException, IOException {
        writeThreeOfLayout8();
        Sql.run(file, "PRAGMA application_id = " + SqliteSchema.UNFINISHED_COPY_ID);
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(() -> builder().open())
                .withMessageContaining("has not finished");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aBackupThatDoesNotKnowItsSequenceIsNotRestored() throws SQLException {
        Path backup = file.resolveSibling("store.db.backup");
        write(store -> {
            store.group("group").put("key", "value");
            BackupResult unused = store.backup(backup);
        });
        Sql.run(backup, "UPDATE mark SET sequence = sequence + 1");
        Path lost = file.resolveSibling("lost.db");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Store.builder()
                        .engine(Sqlite.file(lost).restoreFrom(backup))
                        .open())
                .withMessageContaining("cannot be restored");
        assertThat(lost).doesNotExist();
    }

    /** As with a name whose type was changed: SQLite refuses to change such a row. */
    @Test
    void aWriteToARowThatItsTableDoesNotAllowSaysThatItIsDamaged() throws SQLException {
        write(store -> store.group("group").put("secret-key", "value"));
        DamagedFile.change(file, "UPDATE entry SET key = CAST('secret-key' AS BLOB)");
        write(store -> {
            List<Function<TextGroup, Object>> calls = List.of(
                    named -> named.put("secret-key", "new"),
                    named -> named.getAndPut("secret-key", "new"),
                    named -> named.replace("secret-key", "value", "new"),
                    named -> named.update("secret-key", value -> value + "!"),
                    named -> named.expire("secret-key", TTL));
            for (Function<TextGroup, Object> call : calls) {
                assertThatExceptionOfType(StoreCorruptedException.class)
                        .isThrownBy(() -> call.apply(store.group("group")))
                        .withMessageContaining("repair")
                        .satisfies(e -> assertThat(e.toString()).doesNotContain("secret-key"));
            }
            assertThat(store.group("group").put("other", "value")).isPositive();
        });
        assertThat(Sqlite.file(file).repair(progress -> {}).complete()).isTrue();
        write(store ->
                assertThat(store.group("group").getAll()).isEqualTo(Map.of("secret-key", "value", "other", "value")));
    }

    /** SQLite reads such a row as one without content. */
    @Test
    void aRowWhoseHeaderIsLostIsNotReadAsAnEmptyValue() throws SQLException, IOException {
        for (boolean migrated : List.of(true, false)) {
            file = folder.resolve("store-" + migrated + ".db");
            write(store -> {
                store.group("group-name").put("other", "value");
                store.group("group-name").put("secret-key", "value");
            });
            if (migrated) {
                DamagedFile.makeEarlier(file);
                write(store -> {});
            }
            loseHeader("group-namesecret-key", 12);
            write(store -> {
                TextGroup group = store.group("group-name");
                List<Function<TextGroup, Object>> calls = List.of(
                        named -> named.get("secret-key"),
                        TextGroup::getAll,
                        named -> named.entries(KeyRange.all()).toList(),
                        named -> named.put("secret-key", "new"),
                        named -> named.update("secret-key", value -> value + "!"));
                for (Function<TextGroup, Object> call : calls) {
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(() -> call.apply(group));
                }
                assertThat(group.get("other")).contains("value");
                assertThat(store.verify().findings())
                        .filteredOn(finding -> "secret-key".equals(finding.key()))
                        .extracting(Finding::kind)
                        .containsExactly(Finding.Kind.STRUCTURE);
            });
            assertThat(Sqlite.file(file).repair(progress -> {}).moved()).isEqualTo(1);
            write(store -> assertThat(store.group("group-name").getAll()).containsOnlyKeys("other"));
        }
    }

    @Test
    void aDeliveryOrASubscriberWhoseHeaderIsLostIsDamage() throws SQLException, IOException {
        for (String lost : List.of("the-mailergroup", "the-mailergroupsecret-key")) {
            file = folder.resolve(lost + ".db");
            try (Store store = keeping().open()) {
                store.onExpired("the-mailer", "group", expired -> {}).close();
                store.group("group").put("secret-key", "changed", TTL);
                store.group("group").put("later", "value", TTL.multipliedBy(2));
                clock.advance(TTL);
                store.purgeExpired();
            }
            boolean subscriber = !lost.endsWith("key");
            loseHeader(lost, subscriber ? 5 : 12);
            clock.advance(TTL);
            try (Store store = keeping().open()) {
                if (subscriber) { // otherwise its deliveries would be lost
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(store::purgeExpired);
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(store::expirySubscribers);
                } else {
                    assertThat(store.purgeExpired()).isEqualTo(1);
                }
                assertThat(store.verify().isSound()).isFalse();
            }
            RepairReport report = Sqlite.file(file).repair(progress -> {});
            assertThat(report.moved()).isEqualTo(subscriber ? 2 : 1);
            try (Store store = keeping().open()) {
                assertThat(store.expirySubscribers()).hasSize(subscriber ? 0 : 1);
            }
        }
    }

    /** Overwrites the length of the header of the row whose first texts are these. */
    private void loseHeader(String texts, int headerBytes) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String content = new String(bytes, StandardCharsets.ISO_8859_1);
        int lost = 0;
        for (int at = content.indexOf(texts); at >= 0; at = content.indexOf(texts, at + 1)) {
            if (bytes[at - headerBytes] == headerBytes) {
                bytes[at - headerBytes] = 0;
                lost++;
            }
        }
        assertThat(lost).isPositive();
        Files.write(file, bytes);
    }

    @Test
    void aHandlerThatNeedsNoValueIsToldOfAnExpiryWhoseValueIsDamaged() throws SQLException {
        List<String> told = new CopyOnWriteArrayList<>();
        try (Store store = keeping().open()) {
            store.onExpired("counter", "group", expired -> {}).close();
            store.group("group").put("secret-key", "changed", TTL);
        }
        Sql.run(file, DAMAGE);
        clock.advance(TTL);
        try (Store store = keeping().open()) {
            store.onExpired("counter", "group", Void.class, expired -> told.add(expired.key()));
            store.purgeExpired();
            await().until(() -> told.equals(List.of("secret-key")));
        }
    }

    /** With a lower sequence, the store would use versions again. */
    @Test
    @Promise({10, 23})
    void aStoreThatDoesNotKnowItsSequenceDoesNotOpenUntilItIsRepaired() throws SQLException {
        long[] last = {0};
        for (String damage : List.of(
                "UPDATE mark SET sequence = sequence - 1",
                "UPDATE mark SET time = time - 1",
                "UPDATE mark SET sequence = 0, time = 0, checksum = 0",
                "DELETE FROM mark")) {
            write(store -> last[0] = store.group("group").put("key", "value"));
            Sql.run(file, damage);
            assertThatExceptionOfType(StoreCorruptedException.class)
                    .as(damage)
                    .isThrownBy(() -> builder().open())
                    .withMessageContaining(file.toString());
            assertThat(Sqlite.file(file).verify(progress -> {}).findings())
                    .extracting(Finding::kind)
                    .as(damage)
                    .containsExactly(Finding.Kind.STRUCTURE);
            RepairReport report = Sqlite.file(file).repair(progress -> {});
            assertThat(report.kept()).isEqualTo(1);
            assertThat(report.complete()).isFalse();
            write(store -> assertThat(store.group("group").put("key", "new")).isGreaterThan(last[0]));
        }
    }

    private static final Map<String, String> WRITTEN =
            new TreeMap<>(Map.of("a", "", "b", "value", "c", "x".repeat(300), "d", "y".repeat(9_000)));

    /** Writes a file, damages it in each way, and requires that no read returns another value. Then the same with a migrated file. */
    private void noReadReturnsAnotherValue(Iterable<Consumer<byte[]>> damages) throws IOException, SQLException {
        write(store -> WRITTEN.forEach((key, value) -> store.group("group").put(key, value)));
        noReadOfTheFileReturnsAnotherValue(damages);
        Files.delete(file);
        write(store -> WRITTEN.forEach((key, value) -> store.group("group").put(key, value)));
        DamagedFile.makeEarlier(file);
        write(store -> {});
        noReadOfTheFileReturnsAnotherValue(damages);
    }

    private void noReadOfTheFileReturnsAnotherValue(Iterable<Consumer<byte[]>> damages) throws IOException {
        byte[] sound = Files.readAllBytes(file);
        int failed = 0;
        for (Consumer<byte[]> damage : damages) {
            byte[] bytes = sound.clone();
            damage.accept(bytes);
            Files.write(file, bytes);
            try (Store store = builder().open()) {
                for (Map.Entry<String, String> entry : WRITTEN.entrySet()) {
                    failed += requireSame(store.group("group"), entry) ? 0 : 1;
                }
            } catch (StoreException e) {
                failed++;
            }
        }
        assertThat(failed).isPositive();
    }

    /** Returns whether a value could be read. */
    private static boolean requireSame(TextGroup group, Map.Entry<String, String> written) {
        try {
            assertThat(group.get(written.getKey()).orElse(written.getValue())).isEqualTo(written.getValue());
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    @Test
    @Tag("crash")
    void noFlippedBitMakesAReadReturnAnotherValue() throws IOException, SQLException {
        Random random = new Random(7);
        noReadReturnsAnotherValue(() -> Stream.<Consumer<byte[]>>generate(
                        () -> bytes -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8)))
                .limit(250)
                .iterator());
    }

    @Test
    @Tag("crash")
    void noLostSectorMakesAReadReturnAnotherValue() throws IOException, SQLException {
        int sectors = 17 * 4_096 / 512;
        noReadReturnsAnotherValue(() -> IntStream.range(0, sectors)
                .<Consumer<byte[]>>mapToObj(
                        sector -> bytes -> Arrays.fill(bytes, sector * 512, sector * 512 + 512, (byte) 0))
                .iterator());
    }

    /** The header of a row says where its columns are. */
    @Test
    @Tag("crash")
    void noByteBeforeAValueMakesAReadReturnAnotherValue() throws IOException, SQLException {
        String value = WRITTEN.get("c");
        noReadReturnsAnotherValue(() -> IntStream.rangeClosed(1, 60)
                .boxed()
                .<Consumer<byte[]>>flatMap(
                        before -> Stream.of(0x00, 0x80, 0x01, 0x04, 0x40).map(change -> bytes -> {
                            String content = new String(bytes, StandardCharsets.ISO_8859_1);
                            for (int at = content.indexOf(value); at >= 0; at = content.indexOf(value, at + 1)) {
                                bytes[at - before] =
                                        change(bytes[at - before], change); // also in what is left of a former page
                            }
                        }))
                .iterator());
    }

    private static byte change(byte from, int change) {
        return (byte) (change == 0x00 || change == 0x80 ? change : from ^ change);
    }
}
