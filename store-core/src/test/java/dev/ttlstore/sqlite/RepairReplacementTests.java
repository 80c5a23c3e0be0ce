package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** How the repaired file takes the place of the damaged one, also when the process is killed meanwhile. */
@Promise(23)
@Timeout(120)
class RepairReplacementTests extends RepairedFile {

    @Test
    void whatAKilledRepairHasLeftIsRemoved() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 1);
        List<Path> left = List.of(
                file.resolveSibling("store.db.repaired.partial"),
                file.resolveSibling("store.db.rejected.jsonl.partial"));
        for (Path partial : left) {
            Files.writeString(partial, "the beginning");
        }
        Store.open(file).close();
        assertThat(left).noneMatch(Files::exists);
        for (Path partial : left) {
            Files.writeString(partial, "the beginning");
        }
        damaged.destroy(3);
        RepairReport unused = repair();
        assertThat(files()).noneMatch(name -> name.toString().contains("partial"));
    }

    /** Takes the state on disk before each step of the replacement as that of a killed process. */
    @Test
    @Promise(11)
    void aRepairThatIsKilledIsDoneOrUndoneWhenTheStoreIsOpened() throws SQLException, IOException {
        leaveALog(DamagedFile.delivery("nobody", "key-7", 1, "5"));
        List<Path> states = new ArrayList<>();
        RepairReport report = repairAndCopyEachState(states);
        assertThat(report.moved()).isEqualTo(1);
        String stamp =
                requireNonNull(report.original()).getFileName().toString().replace(".damaged", "");
        int done = 0;
        for (Path state : states) {
            try (Store opened = Store.open(state.resolve("store.db"))) {
                assertThat(opened.group("group").get("in the log")).contains("value");
                opened.group("group").put("in the log", "changed");
            }
            boolean isDone = Files.exists(state.resolve(stamp + ".damaged"));
            assertThat(names(state))
                    .filteredOn(name -> name.matches(".*(partial|ready|damaged.*|jsonl)"))
                    .containsExactlyInAnyOrderElementsOf(
                            isDone
                                    ? List.of(stamp + ".damaged", stamp + ".damaged-wal", stamp + ".rejected.jsonl")
                                    : List.of());
            assertThat(Sqlite.file(state.resolve("store.db"))
                            .verify(progress -> {})
                            .isSound())
                    .isEqualTo(isDone);
            done += isDone ? 1 : 0;
        }
        assertThat(done).isEqualTo(states.size() - 3).isGreaterThan(3);
    }

    @Test
    void aFileThatWasPutInThePlaceOfTheDamagedOneIsNotReplacedByAKilledRepair() throws SQLException, IOException {
        DamagedFile.create(file, 15);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        List<Path> states = new ArrayList<>();
        RepairReport unused = repairAndCopyEachState(states);
        for (Path state : states) {
            Path store = state.resolve("store.db");
            Files.delete(store);
            try (Store backup = Store.open(store)) {
                backup.group("group").put("key", "of the backup");
            }
            try (Store opened = Store.open(store)) {
                assertThat(opened.group("group").getAll()).isEqualTo(Map.of("key", "of the backup"));
            }
            assertThat(names(state)).noneMatch(name -> name.matches(".*(partial|ready)"));
        }
    }

    private RepairReport repairAndCopyEachState(List<Path> states) {
        return Repair.repair(
                file,
                Duration.ZERO,
                new Inspection("The repair", progress -> {}, () -> false),
                () -> states.add(copyFolder("state-" + states.size())));
    }

    private Path copyFolder(String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        for (String each : names(requireNonNull(file.getParent()))) {
            Files.copy(file.resolveSibling(each), copy.resolve(each), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return copy.toRealPath();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    @Promise(20)
    void onlyTheOwnerCanReadWhatItLeaves() throws SQLException, IOException {
        DamagedFile.create(file, 7);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        RepairReport report = repair();
        for (Path each : List.of(file, requireNonNull(report.original()), requireNonNull(report.sideFile()))) {
            assertThat(Files.getPosixFilePermissions(each)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void theDamagedFileStaysUnderAnotherName() throws SQLException, IOException {
        DamagedFile.create(file, 8);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        byte[] before = Files.readAllBytes(file);
        RepairReport report = repair();
        assertThat(Files.readAllBytes(requireNonNull(report.original()))).isEqualTo(before);
        assertThat(report.original().getFileName().toString())
                .startsWith("store.db.20")
                .endsWith(".damaged");
    }

    /** Makes the file of a killed process, whose last writes are in its log. */
    private void leaveALog(String... statements) throws SQLException, IOException {
        Path killed = Files.createDirectory(folder.resolve("killed"));
        try (Store store = Store.open(file)) {
            store.group("group").put("in the log", "value");
            Sql.run(file, statements);
            for (String suffix : List.of("", "-wal")) {
                Files.copy(Path.of(file + suffix), killed.resolve("store.db" + suffix));
            }
        }
        file = killed.toRealPath().resolve("store.db");
        assertThat(Path.of(file + "-wal")).isNotEmptyFile();
    }

    @Test
    void theLogOfAKilledProcessIsPartOfTheRepairAndStaysWithTheDamagedFile() throws SQLException, IOException {
        leaveALog("INSERT INTO subscriber (name, groups_from) VALUES ('mailer', '')", "DROP INDEX delivery_due");
        RepairReport report = repair();
        assertThat(Path.of(report.original() + "-wal")).exists();
        assertThat(Path.of(file + "-wal")).doesNotExist();
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").get("in the log")).contains("value");
        }
    }
}
