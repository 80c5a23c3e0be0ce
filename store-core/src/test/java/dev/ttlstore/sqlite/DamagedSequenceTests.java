package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Files and backups that do not know which versions were used. */
@Promise(23)
class DamagedSequenceTests extends ChecksummedFile {

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
}
