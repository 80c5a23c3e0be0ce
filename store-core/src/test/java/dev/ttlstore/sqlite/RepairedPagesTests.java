package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationReport;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a repair saves around pages that are destroyed, and what it says of the entries that are lost. */
@Promise(23)
@Timeout(120)
class RepairedPagesTests extends RepairedFile {

    /** Group and key in a line of a dump, after its kind. */
    private static final Pattern NAMES = Pattern.compile("^\\S+ (\\S+ \\S+) .*$");

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
}
