package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.Finding.Kind;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** What a verification finds in a file that is not as a store has left it. */
@Promise(23)
@Timeout(120)
class FileVerificationTests {

    private static final String ONE = "(SELECT id FROM entry WHERE expires_at IS NOT NULL LIMIT 1)";

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    private VerificationReport verify() {
        return Sqlite.file(file).verify(progress -> {});
    }

    private List<Kind> kinds(VerificationReport report) {
        assertThat(report.isSound()).isEqualTo(report.findings().isEmpty());
        return report.findings().stream().map(Finding::kind).distinct().toList();
    }

    @Test
    void aStoreInUseIsSoundAndTellsHowFarItIs() throws SQLException, IOException {
        DamagedFile.create(file, 1);
        List<VerificationProgress> told = new ArrayList<>();
        try (Store store = Store.open(file)) {
            store.scope("acme", new Quota(100_000, 100, 100_000_000))
                    .group("group-1")
                    .put("key", "value");
            VerificationReport report = store.verify(told::add);
            assertThat(report.findings()).isEmpty();
            assertThat(report.rows()).isGreaterThan(1_500);
            assertThat(told)
                    .extracting(VerificationProgress::step)
                    .contains("structure", "entries", "deliveries", "usage");
        }
        assertThat(verify().isSound()).isTrue();
    }

    @Test
    void aStoreInMemoryIsVerified() {
        try (Store store = Store.inMemory()) {
            store.group("group").put("key", "value", Duration.ofHours(1));
            List<Long> told = new ArrayList<>();
            VerificationReport report = store.verify(
                    progress -> told.add(progress.rows() + store.group("group").count()));
            assertThat(report.isSound()).isTrue();
            assertThat(report.rows()).isEqualTo(1);
            assertThat(told).containsExactly(2L);
        }
    }

    @Test
    void anEntryThatAnIndexDoesNotHaveIsFound() throws SQLException, IOException {
        DamagedFile.create(file, 2);
        DamagedFile.behind(
                file,
                "entry_due",
                "INSERT INTO entry (grp, key, version, created_at, updated_at, expires_at, due_at, value)"
                        + " VALUES ('group', 'hidden', 1, 5, 5, 9, 9, x'00')");
        DamagedFile.seal(file);
        VerificationReport report = verify();
        assertThat(kinds(report)).containsExactly(Kind.INDEX);
        assertThat(report.findings().toString()).contains("entry_due");
        assertThat(report.findings().get(0).remedy()).contains("Repair the file");
    }

    @Test
    void anIndexThatIsMissingIsFound() throws SQLException, IOException {
        DamagedFile.create(file, 3);
        Sql.run(file, "DROP INDEX entry_due");
        assertThat(kinds(verify())).containsExactly(Kind.INDEX);
    }

    @Test
    void aDeliveryWithoutASubscriberIsFound() throws SQLException, IOException {
        DamagedFile.create(file, 4);
        DamagedFile.run(file, DamagedFile.delivery("nobody", "key-7", 1, "5"));
        VerificationReport report = verify();
        assertThat(report.findings()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.ORPHAN);
            assertThat(found.group()).isEqualTo("group-0");
            assertThat(found.key()).isEqualTo("key-7");
            assertThat(found.problem()).contains("nobody");
        });
    }

    @Test
    void deliveriesThatAreNotInLineAreFound() throws SQLException, IOException {
        DamagedFile.create(file, 5);
        DamagedFile.run(
                file,
                DamagedFile.delivery("mailer", "key-1", 1, "5"),
                DamagedFile.delivery("mailer", "key-8", 1, "" + Layouts.PARKED));
        VerificationReport report = verify();
        assertThat(kinds(report)).containsExactly(Kind.ORDER);
        assertThat(report.findings()).extracting(Finding::key).containsExactlyInAnyOrder("key-1", "key-8");
    }

    @Test
    void timesThatContradictEachOtherAreFound() throws SQLException, IOException {
        DamagedFile.create(file, 6);
        Sql.run(
                file,
                "PRAGMA ignore_check_constraints = 1",
                "UPDATE entry SET due_at = expires_at + 1 WHERE id = " + ONE,
                "UPDATE entry SET created_at = updated_at + 1 WHERE id = (SELECT max(id) FROM entry)");
        VerificationReport report = verify();
        assertThat(kinds(report)).containsExactly(Kind.TIMES);
        assertThat(report.total()).isEqualTo(2);
    }

    @Test
    void aVersionThatTheStoreHasNotGivenIsFound() throws SQLException, IOException {
        DamagedFile.create(file, 7);
        Sql.run(file, "UPDATE entry SET version = 1000000000 WHERE id = " + ONE);
        assertThat(kinds(verify())).containsExactly(Kind.VERSION);
    }

    @Test
    @Promise(12)
    void aNameThatNoStoreAcceptsIsFound() throws SQLException, IOException {
        DamagedFile.create(file, 8);
        Sql.run(
                file,
                "UPDATE entry SET key = CAST(x'ff' AS TEXT) WHERE id = " + ONE,
                "UPDATE entry SET key = '' WHERE id = (SELECT max(id) FROM entry)");
        VerificationReport report = verify();
        assertThat(kinds(report)).containsExactly(Kind.NAME);
        assertThat(report.total()).isEqualTo(2);
    }

    @Test
    void anUnfinishedCopyIsRefusedAsOne() throws SQLException {
        Store.open(file).close();
        Sql.run(file, "PRAGMA application_id = " + FileFormat.UNFINISHED_COPY_ID);
        assertThatExceptionOfType(UnfinishedCopyException.class)
                .isThrownBy(this::verify)
                .withMessageContaining("unfinished copy");
    }

    @Test
    @Promise(19)
    void aUsageThatIsNotTheSumOfTheEntriesIsFound() throws SQLException {
        try (Store store = Store.open(file)) {
            store.scope("acme", new Quota(10, 10, 1_000)).group("group").put("key", "value");
            assertThat(store.verify().isSound()).isTrue();
            DamagedFile.run(
                    file,
                    "INSERT INTO entry (grp, key, version, created_at, updated_at, value)"
                            + " VALUES ('acme:group', 'of another program', 1, 5, 5, x'00')");
            VerificationReport report = store.verify();
            assertThat(report.findings()).singleElement().satisfies(found -> {
                assertThat(found.kind()).isEqualTo(Kind.USAGE);
                assertThat(found.group()).isEqualTo("acme:group");
                assertThat(found.problem()).contains("1 entries").contains("2 entries");
            });
        }
    }

    @Test
    void aPageThatIsDestroyedIsFound() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 9);
        damaged.destroy(damaged.pages("entry", "leaf").get(20));
        assertThat(kinds(verify())).contains(Kind.STRUCTURE);
        try (Store store = Store.open(file)) {
            assertThat(kinds(store.verify())).contains(Kind.STRUCTURE);
        }
    }

    @Test
    void aFileThatWasCutOffIsFound() throws SQLException, IOException {
        DamagedFile damaged = DamagedFile.create(file, 10);
        damaged.cut(Files.size(file) - 10);
        assertThat(kinds(verify())).contains(Kind.STRUCTURE);
        damaged.cut(Files.size(file) / 2 / DamagedFile.PAGE * DamagedFile.PAGE);
        assertThat(kinds(verify())).contains(Kind.STRUCTURE);
    }

    @Test
    void aReportListsNoMoreThanAThousandFindings() throws SQLException, IOException {
        DamagedFile.create(file, 11);
        Sql.run(file, "UPDATE entry SET created_at = updated_at + 1");
        VerificationReport report = verify();
        assertThat(report.findings()).hasSize(VerificationReport.MOST_FINDINGS);
        assertThat(report.total()).isGreaterThan(VerificationReport.MOST_FINDINGS);
    }

    @Test
    void theVerificationOfAClosedFileChangesNothing() throws SQLException, IOException {
        DamagedFile.create(file, 12);
        byte[] before = Files.readAllBytes(file);
        FileTime changed = Files.getLastModifiedTime(file);
        assertThat(verify().isSound()).isTrue();
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(changed);
    }

    @Test
    void othersReadAndWriteMeanwhile() throws SQLException, IOException {
        DamagedFile.create(file, 13);
        try (Store store = Store.open(file)) {
            VerificationReport report = store.verify(progress -> {
                store.group("group").put("key", progress.step());
                assertThat(store.group("group").get("key")).contains(progress.step());
            });
            assertThat(report.findings()).isEmpty();
        }
    }

    @Test
    void anInterruptEndsIt() throws SQLException, IOException {
        DamagedFile.create(file, 14);
        try (Store store = Store.open(file)) {
            assertThatExceptionOfType(StoreInterruptedException.class)
                    .isThrownBy(() ->
                            store.verify(progress -> Thread.currentThread().interrupt()));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(store.verify().isSound()).isTrue();
        }
    }

    @Test
    void whatTheListenerThrowsEndsIt() throws SQLException, IOException {
        DamagedFile.create(file, 15);
        try (Store store = Store.open(file)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> store.verify(progress -> {
                        throw new IllegalStateException("enough");
                    }))
                    .withMessage("enough");
        }
    }

    @Test
    @Promise(22)
    void closingTheStoreEndsIt() throws SQLException, IOException, InterruptedException {
        DamagedFile.create(file, 16);
        Store store = Store.open(file);
        Thread closing = new Thread(store::close);
        assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(() -> store.verify(progress -> {
                    if (closing.getState() == Thread.State.NEW) {
                        closing.start();
                    }
                    await().until(() -> Stream.of(closing.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(LongReads.class.getName())));
                }));
        closing.join();
    }

    @Test
    @Promise({20, 21})
    void onlyAFileOfAStoreThatNobodyUsesIsVerified() throws IOException {
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(this::verify)
                .withMessageContaining("no such file");
        Files.writeString(file, "text ".repeat(100));
        assertThatExceptionOfType(StoreFormatException.class).isThrownBy(this::verify);
        Files.delete(file);
        try (Store store = Store.open(file)) {
            assertThat(store.path()).isEqualTo(file);
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> Repair.verify(
                            file, Duration.ZERO, new Inspection("The verification", progress -> {}, () -> false)));
        }
    }
}
