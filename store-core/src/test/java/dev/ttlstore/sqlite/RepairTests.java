package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.VerificationInterruptedException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationReport;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a repair saves from a file that is damaged in many ways. */
@Promise(23)
@Timeout(120)
class RepairTests {

    private static final String ONE = "(SELECT id FROM entry WHERE expires_at IS NOT NULL AND grp = 'group-0' LIMIT 1)";

    /** Group and key in a line of a dump, after its kind. */
    private static final Pattern NAMES = Pattern.compile("^\\S+ (\\S+ \\S+) .*$");

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private RepairReport repair() {
        RepairReport report = Sqlite.file(file).repair(progress -> {});
        assertThat(Sqlite.file(file).verify(progress -> {}).findings()).isEmpty();
        return report;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).sorted().toList();
        }
    }

    private static List<String> sideLines(RepairReport report) throws IOException {
        return Files.readAllLines(requireNonNull(report.sideFile()));
    }

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

    /** A search in a damaged page can end at the wrong place, and a damaged page can have fewer rows than before. */
    @Test
    @Tag("crash")
    void aRepairThatLosesRowsSaysSoAndNamesTheirEntries() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 16);
        List<String> before = damaged.dump();
        byte[] sound = Files.readAllBytes(file);
        Random random = new Random(16);
        int lost = 0;
        for (String table : List.of("entry", "retained", "delivery")) {
            for (String kind : List.of("internal", "leaf")) {
                List<Integer> pages = damaged.pages(table, kind);
                for (int i = 0; i < 12 && !pages.isEmpty(); i++) {
                    int page = pages.get(random.nextInt(pages.size()));
                    byte[] bytes = sound.clone();
                    int at = (page - 1) * DamagedFile.PAGE;
                    if (kind.equals("internal")) {
                        Arrays.fill(bytes, at + 512 * (i % 8), at + 512 * (i % 8 + 1), (byte) 0);
                    } else { // its header, and where its rows are
                        bytes[at + random.nextInt(20)] = (byte) random.nextInt(256);
                    }
                    Files.write(file, bytes);
                    lost += requireHonest(damaged, before) ? 0 : 1;
                }
            }
        }
        assertThat(lost).isGreaterThan(10);
    }

    /** Returns whether nothing was lost. */
    private boolean requireHonest(DamagedFile damaged, List<String> before) throws IOException {
        RepairReport report;
        try {
            report = repair();
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("touched");
            return false;
        }
        List<String> after = damaged.dump();
        List<String> lost = new ArrayList<>(before);
        lost.removeAll(after);
        if (report.complete() && report.moved() == 0) {
            assertThat(lost).isEmpty();
            return true;
        }
        String told = report.findings()
                + (report.sideFile() == null ? "" : sideLines(report).toString());
        for (String line : lost) {
            if (line.startsWith("entry ") && report.total() <= VerificationReport.MOST_FINDINGS) {
                assertThat(told).contains(NAMES.matcher(line).replaceFirst("$1").replaceFirst(".* ", ""));
            }
        }
        return lost.isEmpty();
    }

    @Test
    void retainedEntriesOfOneExpiryAreSavedOnBothSidesOfTheDamage() throws SQLException, IOException {
        int entries = 600;
        MovableClock clock = new MovableClock();
        try (Store store = Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .retention(Duration.ofDays(100))
                .open()) {
            for (int i = 0; i < entries; i++) {
                store.group("group").put("key-" + i, "x".repeat(200), Duration.ofMinutes(1));
            }
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.purgeExpired()).isEqualTo(entries);
        }
        List<String> leaves = Sql.query(
                file, "SELECT pageno FROM dbstat WHERE name = 'retained' AND pagetype = 'leaf' ORDER BY path");
        Sql.run(file, "PRAGMA wal_checkpoint(TRUNCATE)");
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek((Integer.parseInt(leaves.get(leaves.size() / 2)) - 1L) * DamagedFile.PAGE);
            bytes.write(new byte[DamagedFile.PAGE]);
        }
        RepairReport report = repair();
        assertThat(report.complete()).isFalse();
        assertThat(report.kept()).isBetween(500L, entries - 1L);
        assertThat(report.findings()).filteredOn(found -> found.key() != null).hasSize(entries - (int) report.kept());
    }

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

    @Test
    void onlyTheEntriesOfDestroyedPagesAreLostAndTheyAreNamed() throws SQLException, IOException {
        Random random = new Random(9);
        for (int pages = Effort.of(3, 1); pages <= 3; pages++) {
            Files.deleteIfExists(file);
            DamagedFile damaged = DamagedFile.create(file, 9);
            List<String> before = damaged.dump();
            List<Integer> leaves = damaged.pages("entry", "leaf");
            for (int i = 0; i < pages; i++) {
                damaged.destroy(leaves.get(random.nextInt(leaves.size())));
            }
            assertSavedExceptNamed(damaged, before, repair());
        }
    }

    private static void assertSavedExceptNamed(DamagedFile damaged, List<String> before, RepairReport report) {
        List<String> after = damaged.dump();
        assertThat(before).containsAll(after);
        List<String> lost = new ArrayList<>(before);
        lost.removeAll(after);
        assertThat(report.complete()).isFalse();
        assertThat(lost).hasSizeBetween(1, before.size() / 5);
        Set<String> named = new TreeSet<>();
        for (Finding finding : report.findings()) {
            if (finding.key() != null) {
                named.add(finding.group() + " " + finding.key());
            }
        }
        Set<String> names = new TreeSet<>();
        lost.forEach(line -> names.add(NAMES.matcher(line).replaceFirst("$1")));
        assertThat(named).isEqualTo(names);
    }

    private void assertThatARepairSavesMostOf(List<String> before, DamagedFile damaged) throws SQLException {
        RepairReport report = repair();
        List<String> after = damaged.dump();
        assertThat(report.complete()).isFalse();
        assertThat(before).containsAll(after);
        assertThat(after.size()).isGreaterThan(before.size() * 9 / 10).isLessThan(before.size());
    }

    @Test
    void entriesBetweenDestroyedPagesAreSavedAlsoWithoutTheIndexOfNames() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 10);
        List<String> before = damaged.dump();
        List<Integer> leaves = damaged.pages("entry", "leaf");
        damaged.destroy(leaves.get(5));
        damaged.destroy(leaves.get(leaves.size() - 6));
        damaged.destroy(Integer.parseInt(Sql.query(file, "SELECT rootpage FROM sqlite_schema WHERE name = 'entry_name'")
                .get(0)));
        assertThatARepairSavesMostOf(before, damaged);
    }

    @Test
    void entriesAreSavedWithoutTheTablesAndIndexesThatAreMissing() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 14);
        List<String> before = damaged.dump();
        damaged.destroy(damaged.pages("entry", "leaf").get(7));
        Sql.run(file, "DROP INDEX entry_name", "DROP TABLE aged_group");
        assertThatARepairSavesMostOf(before, damaged);
    }

    @Test
    @Tag("crash")
    void whatIsBeforeTheEndOfAFileThatWasCutOffIsSaved() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 11);
        List<String> before = damaged.dump();
        damaged.cut(Files.size(file) * 3 / 4 + 100);
        RepairReport report = repair();
        List<String> after = damaged.dump();
        assertThat(report.complete()).isFalse();
        assertThat(before).containsAll(after);
        assertThat(after.size()).isGreaterThan(before.size() / 4);
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

    @Test
    void aRepairThatIsInterruptedChangesNothing() throws SQLException, IOException {
        DamagedFile.create(file, 12);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        byte[] before = Files.readAllBytes(file);
        List<Path> others = files();
        assertThatExceptionOfType(VerificationInterruptedException.class)
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
                            file, Duration.ZERO, new Inspection("The repair", progress -> {}, () -> false)));
        }
    }
}
