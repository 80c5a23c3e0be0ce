package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.verification.Finding;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Files of an earlier layout, whose values had no checksums. */
@Promise(23)
class ChecksumMigrationTests extends ChecksummedFile {

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
        Sql.run(file, "PRAGMA application_id = " + FileFormat.UNFINISHED_COPY_ID);
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreFormatException.class)
                .isThrownBy(() -> builder().open())
                .withMessageContaining("has not finished");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
}
