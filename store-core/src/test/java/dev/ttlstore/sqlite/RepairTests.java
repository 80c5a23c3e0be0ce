package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a repair corrects in the rows and indexes of a file, and what it moves to the side file. */
@Promise(23)
@Timeout(120)
class RepairTests extends RepairedFile {

    private static final String ONE = "(SELECT id FROM entry WHERE expires_at IS NOT NULL AND grp = 'group-0' LIMIT 1)";

    @Test
    @Tag("crash")
    void whatCanOnlyComeFromDamageIsFoundAndRepaired() throws SQLException, IOException {
        for (String damage : List.of(
                "INSERT INTO mark SELECT 0, sequence, time, checksum FROM mark",
                "UPDATE subscriber SET name_in_scopes = ''",
                "UPDATE delivery SET id = 9223372036854775807 WHERE key = 'key-2'",
                "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'delivery'")) {
            file = folder.toRealPath().resolve("store-" + damage.hashCode() + ".db");
            DamagedFile.create(file, 17);
            Sql.run(file, "PRAGMA ignore_check_constraints = 1", damage);
            assertThat(Sqlite.file(file).verify(progress -> {}).isSound())
                    .as(damage)
                    .isFalse();
            if (damage.contains("name_in_scopes")) {
                try (Store store = Store.open(file)) {
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(store::expirySubscribers);
                }
            }
            RepairReport unused = repair();
            try (Store store = Store.open(file)) {
                store.check();
                assertThat(store.expirySubscribers()).hasSize(damage.contains("name_in_scopes") ? 0 : 1);
            }
        }
    }

    @Test
    @Tag("crash")
    void damagedIndexesAreBuiltAgainAndNothingIsLost() throws SQLException, IOException {
        for (String index : List.of("entry_name", "entry_due", "entry_age", "retained_group", "delivery_live")) {
            Files.deleteIfExists(file);
            DamagedFile damaged = DamagedFile.create(file, 2);
            List<String> before = damaged.dump();
            damaged.destroy(
                    Integer.parseInt(Sql.query(file, "SELECT rootpage FROM sqlite_schema WHERE name = '" + index + "'")
                            .get(0)));
            RepairReport report = repair();
            assertThat(report.complete()).as(index).isTrue();
            assertThat(report.sideFile()).as(index).isNull();
            assertThat(report.total()).as(index).isPositive();
            assertThat(damaged.dump()).as(index).isEqualTo(before);
            assertThat(Sql.query(file, "PRAGMA auto_vacuum")).as("can shrink").containsExactly("2");
        }
    }

    @Test
    void anEntryThatAnIndexDoesNotHaveIsFoundAgain() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 3);
        List<String> before = damaged.dump();
        DamagedFile.behind(
                file,
                "entry_name",
                "INSERT INTO entry (grp, key, version, created_at, updated_at, value)"
                        + " VALUES ('group', 'hidden', 1, 5, 5, x'6869')");
        DamagedFile.seal(file);
        repair();
        assertThat(damaged.dump()).hasSize(before.size() + 1).containsAll(before);
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("hidden")).contains("hi");
        }
    }

    @Test
    void ofTwoEntriesOfOneNameTheLaterIsKeptAndTheEarlierIsInTheSideFile() throws SQLException, IOException {
        DamagedFile.create(file, 4);
        DamagedFile.behind(
                file,
                "entry_name",
                "INSERT INTO entry (grp, key, version, created_at, updated_at, value)"
                        + " VALUES ('group', 'double', 3, 5, 5, x'33'), ('group', 'double', 2, 5, 5, x'32')",
                "INSERT INTO entry (grp, key, version, created_at, updated_at, value)"
                        + " VALUES ('group', 'double', 4, 5, 5, x'34')");
        DamagedFile.seal(file);
        RepairReport report = repair();
        assertThat(report.moved()).isEqualTo(2);
        assertThat(sideLines(report))
                .allSatisfy(line -> assertThat(line).contains("later version").contains("double"));
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("double")).contains("4");
        }
    }

    @Test
    void timesAndDeliveriesAreCorrectedAndNothingIsLost() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 5);
        List<String> before = damaged.dump();
        DamagedFile.run(
                file,
                "PRAGMA ignore_check_constraints = 1",
                "UPDATE entry SET due_at = expires_at + 1 WHERE id = " + ONE,
                "UPDATE delivery SET next_at = 1000 WHERE next_at = " + Layouts.PARKED,
                DamagedFile.delivery("mailer", "key-9", 1, "" + Layouts.PARKED));
        RepairReport report = repair();
        assertThat(report.sideFile()).isNull();
        assertThat(report.total()).isEqualTo(3);
        assertThat(damaged.dump()).hasSize(before.size() + 1).containsAll(before);
    }

    @Test
    void whatNoStoreAcceptsIsInTheSideFileWithItsValue() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 6);
        List<String> before = damaged.dump();
        DamagedFile.run(
                file,
                DamagedFile.delivery("nobody", "key-7", 1, "5"),
                "INSERT INTO entry (grp, key, version, created_at, updated_at, value)"
                        + " VALUES ('a \"group\"', CAST(x'ff' AS TEXT), 1, 5, 6, CAST('secret' AS BLOB))");
        RepairReport report = repair();
        assertThat(report.moved()).isEqualTo(2);
        assertThat(report.complete()).isTrue();
        assertThat(damaged.dump()).isEqualTo(before);
        assertThat(sideLines(report))
                .containsExactly(
                        "{\"kind\":\"entry\",\"reason\":\"The name of the key is no UTF-8\",\"group\":\"a \\\"group\\\"\","
                                + "\"keyBytes\":\"/w==\",\"version\":1,\"createdAt\":5,\"updatedAt\":6,\"value\":\""
                                + Base64.getEncoder().encodeToString("secret".getBytes(StandardCharsets.UTF_8)) + "\"}",
                        "{\"kind\":\"delivery\",\"reason\":\"Its subscriber does not exist\",\"group\":\"group-0\","
                                + "\"key\":\"key-7\",\"subscriber\":\"nobody\",\"version\":1,\"expiresAt\":1000,"
                                + "\"attempts\":0,\"error\":\"\",\"value\":\"AA==\"}");
        assertThat(report.findings().toString()).doesNotContain("secret");
    }

    @Test
    @Promise(9)
    void noVersionIsUsedTwiceAfterARepair() throws SQLException {
        long last;
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
            last = store.group("group").put("key", "value");
            store.group("group").delete("key");
        }
        Sql.run(file, "DROP INDEX entry_due");
        repair();
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").put("key", "value")).isGreaterThan(last + (1L << 31));
        }
    }
}
