package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Repairs that change nothing: refused, interrupted or not needed. */
@Promise(23)
@Timeout(120)
class RepairRefusalTests extends RepairedFile {

    @Test
    void aSoundFileStaysAsItIs() throws SQLException, IOException {
        DamagedFile.create(file, 1);
        byte[] before = Files.readAllBytes(file);
        List<Path> others = files();
        RepairReport report = repair();
        assertThat(report.original()).isNull();
        assertThat(report.total()).isZero();
        assertThat(report.complete()).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(files()).isEqualTo(others);
    }

    @Test
    @Tag("crash")
    void aFileOfWhichNothingCanBeReadIsNotReplaced() throws Exception {
        DamagedFile.create(file, 1);
        byte[] bytes = Files.readAllBytes(file);
        java.util.Arrays.fill(bytes, 100, DamagedFile.PAGE, (byte) 0);
        Files.write(file, bytes);
        List<Path> others = files();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::repair)
                .withMessageContaining("Restore a backup");
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(files()).isEqualTo(others);
    }

    @Test
    void aRepairThatIsInterruptedChangesNothing() throws SQLException, IOException {
        DamagedFile.create(file, 12);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        byte[] before = Files.readAllBytes(file);
        List<Path> others = files();
        assertThatExceptionOfType(StoreInterruptedException.class)
                .isThrownBy(() -> Sqlite.file(file).repair(progress -> {
                    if (progress.step().equals("publishing")) {
                        Thread.currentThread().interrupt();
                    }
                }));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(files()).containsAll(others).noneMatch(each -> each.toString()
                .contains("partial"));
        assertThat(files()).noneMatch(each -> each.toString().endsWith("jsonl"));
    }

    @Test
    void aFileWhoseFirstPageIsDestroyedIsRefusedAndNotTouched() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 13);
        damaged.destroy(1);
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Sqlite.file(file).repair(progress -> {}))
                .withMessageContaining("estore a backup");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    @Promise(20)
    void aFileThatIsInUseIsNotRepaired() {
        try (Store store = Store.open(file)) {
            assertThat(store.path()).isEqualTo(file);
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> Repair.repair(
                            file, Duration.ZERO, new Inspection("The repair", progress -> {}, () -> false), () -> {}));
        }
    }
}
