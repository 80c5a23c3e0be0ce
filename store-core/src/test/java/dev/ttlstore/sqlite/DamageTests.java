package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What can happen to a file, and that a store says so. */
@Promise(23)
class DamageTests {

    private static final int ENTRIES = 2_000;

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    void aPageThatIsDamagedIsToldAndNothingIsAnsweredFromIt() throws IOException {
        fill();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            byte[] garbage = new byte[4_096];
            Arrays.fill(garbage, (byte) 0xA5);
            long page = bytes.length() / 4_096 / 2;
            bytes.seek(page * 4_096);
            bytes.write(garbage);
        }
        assertRightOrRefused();
    }

    @Test
    void aFileThatWasCutOffIsToldAndNothingIsAnsweredFromIt() throws IOException {
        fill();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(bytes.length() / 4_096 / 2 * 4_096);
        }
        assertRightOrRefused();
    }

    @Test
    void aFileWhoseLastPageWasCutOffIsRefused() throws IOException {
        fill();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(bytes.length() - 1_000);
        }
        assertThatExceptionOfType(StoreCorruptedException.class)
                .isThrownBy(() -> Store.open(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("restore a backup");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aFileThatIsDeletedBeneathAnOpenStoreIsNoticedByACheck() throws IOException {
        try (Store store = Store.open(file)) {
            assertThatCode(store::check).doesNotThrowAnyException();
            Files.delete(file);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(store::check)
                    .withMessageContaining(file.toString())
                    .withMessageContaining("is no longer there");
        }
    }

    @Test
    void aFileThatIsDeletedBeneathAnOpenStoreIsNoticedByItsWriterWithinSeconds() throws IOException {
        Sqlite engine = Sqlite.file(file).lookEvery(Duration.ofMillis(50));
        try (Store store = Store.builder().engine(engine).open()) {
            store.group("group").put("key", "value");
            Files.delete(file);
            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.group("group").put("key", "lost"))
                    .withMessageContaining(file.toString()));
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aFileThatIsReplacedBeneathAnOpenStoreIsNoticedByACheck() throws IOException {
        Path other = folder.resolve("other.db");
        Store.open(other).close();
        try (Store store = Store.open(file)) {
            Files.delete(file);
            Files.move(other, file);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(store::check)
                    .withMessageContaining(file.toString())
                    .withMessageContaining("replaced");
        }
    }

    @Test
    @Promise({22, 23})
    void aClosedStoreSaysSoThoughItsFileIsGone() throws IOException {
        Store store = Store.open(file);
        store.close();
        Files.delete(file);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::check);
    }

    @Test
    void aWriteThatFindsNoRoomIsNotMadeAndTheNextOneThatFitsIs() {
        try (SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"))) {
            SqliteSchema.prepare(session);
            assertFullAndUsable(session);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aStoreWhoseFileCannotGrowKeepsWhatItHasAcknowledged() throws IOException {
        int written;
        try (ChildJvm filler = ChildJvm.startWithFilesUpTo(16_000, FillingProgram.class, file)) {
            filler.await("refused");
            written = Integer.parseInt(filler.await("written"));
            assertThat(written).isBetween(10, 999);
            assertThat(Integer.parseInt(filler.await("readable"))).isEqualTo(written);
            filler.await("closed");
        }
        try (Store store = Store.open(file)) {
            assertThat(store.group("group").count()).isEqualTo(written);
            for (int i = 0; i < written; i++) {
                assertThat(store.group("group").get("key" + i)).contains(FillingProgram.VALUE);
            }
            store.group("group").put("more", FillingProgram.VALUE);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aProcessThatHasNoFileDescriptorsLeftIsToldThat() throws IOException {
        try (ChildJvm child = ChildJvm.startWithLimit("-n 128", OpeningProgram.class, file)) {
            assertThat(child.await("then said ")).startsWith("StoreException ").contains("too many files open");
            assertThat(child.await("then open ")).startsWith("StoreException ").contains("too many files open");
            assertThat(child.await("then count ")).isEqualTo("1");
        }
    }

    @Test
    void aReadThatCameShortIsDamageOnlyIfTheLogIsShort() throws IOException {
        SQLiteException shortRead = new SQLiteException("said by SQLite", SQLiteErrorCode.SQLITE_IOERR_SHORT_READ);
        try (Store store = Store.open(file);
                SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, new SqliteErrors(file.toString()))) {
            store.group("group").put("key", "value");
            assertThat(session.failed(shortRead))
                    .isNotInstanceOf(StoreCorruptedException.class)
                    .hasMessageContaining("has failed to read");
            Path wal = file.resolveSibling("store.db-wal");
            byte[] whole = Files.readAllBytes(wal);
            try (RandomAccessFile bytes = new RandomAccessFile(wal.toFile(), "rw")) {
                bytes.setLength(1_000);
                assertThat(session.failed(shortRead)).isInstanceOf(StoreCorruptedException.class);
                bytes.seek(0);
                bytes.write(whole);
            }
        }
    }

    private static void assertFullAndUsable(SqliteSession session) {
        store(session, "before", 10);
        session.pragma("max_page_count = 20");
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> store(session, "large", 1_000_000));
        store(session, "small", 10);
        session.pragma("max_page_count = 1000000");
        store(session, "large", 1_000_000);
        for (String key : List.of("before", "small", "large")) {
            assertThat(session.reads().get(new RowKey("group", key), Reads.ALL)).isNotNull();
        }
    }

    private static void store(SqliteSession session, String key, int size) {
        Row row = new Row(new RowKey("group", key), new byte[size], 1, 0, 0, Row.NEVER);
        session.inTransaction(() -> {
            Transactions.of(session).store(List.of(new RowChange(null, row)));
            return true;
        });
    }

    private void fill() {
        try (Store store = Store.open(file)) {
            for (int i = 0; i < ENTRIES; i++) {
                store.group("group").put("key" + i, value(i));
            }
        }
    }

    private static String value(int i) {
        return ("value of " + i + " ").repeat(20);
    }

    private void assertRightOrRefused() {
        int refused = 0;
        try (Store store = Store.open(file)) {
            for (int i = 0; i < ENTRIES; i++) {
                try {
                    assertThat(store.group("group").get("key" + i)).isEqualTo(Optional.of(value(i)));
                } catch (StoreCorruptedException e) {
                    assertThat(e).hasMessageContaining(file.toString()).hasMessageContaining("restore a backup");
                    refused++;
                }
            }
        } catch (StoreCorruptedException e) {
            refused++; // the damage may be where the opening looks
        }
        assertThat(refused).isPositive();
    }
}
