package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.TextGroup;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Values whose bytes are not those that were put. */
@Promise(23)
class RowChecksumTests extends ChecksummedFile {

    private static final String DAMAGE =
            "UPDATE entry SET value = CAST('chAnged' AS BLOB) WHERE grp = 'group' AND key = 'secret-key'";

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
}
