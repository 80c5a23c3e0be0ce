package dev.ttlstore.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.FileOwners;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The files of exports: what they contain, and what becomes of a run that does not end. */
class StoreExportTests {

    @TempDir
    Path folder;

    private final Store store = Store.builder().inMemory().open();

    @AfterEach
    void close() {
        store.close();
    }

    private Path target() {
        return folder.resolve("entries.jsonl");
    }

    private Path partial() {
        return folder.resolve("entries.jsonl.partial");
    }

    private void fill(int entries) {
        for (int i = 0; i < entries; i++) {
            store.group("group " + i % 3).put(String.format("%05d", i), "value " + i);
        }
    }

    private byte[] complete() throws IOException {
        Path other = folder.resolve("complete.jsonl");
        ExportResult result = StoreExport.of(store).toFile(other);
        assertThat(result.bytes()).isEqualTo(Files.size(other));
        return Files.readAllBytes(other);
    }

    @Test
    void aFileHasALineForEachEntry() throws IOException {
        store.group("config").put("theme", "dark");
        String created =
                store.group("config").entry("theme").orElseThrow().createdAt().toString();
        long version = store.group("config").entry("theme").orElseThrow().version();
        ExportResult result = StoreExport.of(store).toFile(target());
        assertThat(result.entries()).isEqualTo(1);
        assertThat(result.continued()).isZero();
        assertThat(target())
                .hasContent("{\"group\":\"config\",\"key\":\"theme\",\"value\":\"dark\",\"version\":" + version
                        + ",\"createdAt\":\"" + created + "\",\"updatedAt\":\"" + created + "\"}\n");
        assertThat(partial()).doesNotExist();
    }

    @Test
    @Promise(20)
    void onlyTheOwnerCanReadIt() throws IOException {
        fill(1);
        StoreExport.of(store).toFile(target());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target())))
                .isEqualTo("rw-------");
    }

    @Test
    void anEmptyStoreGivesAnEmptyFile() {
        assertThat(StoreExport.of(store).toFile(target()).entries()).isZero();
        assertThat(target()).isEmptyFile();
    }

    @Test
    void progressEndsWithTheTotal() {
        fill(1_000);
        List<TransferProgress> told = new ArrayList<>();
        StoreExport.of(store).onProgress(told::add).toFile(target());
        assertThat(told).hasSizeGreaterThan(3).allMatch(progress -> progress.total() == 1_000);
        assertThat(told.get(0).done()).isZero();
        assertThat(told.get(told.size() - 1).done()).isEqualTo(1_000);
        assertThat(told).extracting(TransferProgress::done).isSorted();
    }

    /** As when it was killed before its last step. */
    @Test
    void theEarlierNameOfACompleteExportIsRemoved() throws IOException {
        StoreExport.of(store).toFile(target());
        Path earlier = Files.createLink(target().resolveSibling(target().getFileName() + ".partial"), target());
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(target()))
                .withMessageContaining("there is such a file");
        assertThat(earlier).doesNotExist();
        assertThat(target()).exists();
    }

    @Test
    void whatIsThereIsNotReplaced() throws IOException {
        Files.writeString(target(), "mine");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(target()))
                .withMessageContaining("there is such a file");
        assertThat(target()).hasContent("mine");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() ->
                        StoreExport.of(store).toFile(folder.resolve("none").resolve("x.jsonl")))
                .withMessageContaining("folder");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreExport.of(store).group(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreExport.of(store).scope("a:b"));
    }

    @Test
    void anInterruptedExportIsContinued() throws IOException {
        fill(2_000);
        byte[] all = complete();
        assertThatExceptionOfType(StoreInterruptedException.class)
                .isThrownBy(() -> StoreExport.of(store)
                        .onProgress(progress -> {
                            if (progress.done() > 500) {
                                Thread.currentThread().interrupt();
                            }
                        })
                        .toFile(target()))
                .withMessageContaining("Run it again to continue");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(target()).doesNotExist();
        assertThat(Files.size(partial())).isPositive();
        ExportResult result = StoreExport.of(store).toFile(target());
        assertThat(result.entries()).isEqualTo(2_000);
        assertThat(result.continued()).isPositive();
        assertThat(Files.readAllBytes(target())).isEqualTo(all);
        assertThat(partial()).doesNotExist();
    }

    /** As after a kill or a power cut, at any place of a line. */
    @Test
    @Promise(23)
    void aLineThatWasCutIsWrittenAgain() throws IOException {
        fill(2);
        byte[] all = complete();
        for (int length = 0; length <= all.length; length++) {
            Files.write(partial(), java.util.Arrays.copyOf(all, length));
            StoreExport.of(store).toFile(target());
            assertThat(Files.readAllBytes(target())).isEqualTo(all);
            Files.delete(target());
        }
    }

    @Test
    void aPartOfAnotherExportIsNotContinued() throws IOException {
        fill(10);
        byte[] all = complete();
        Files.write(partial(), all);
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).group("group 0").toFile(target()))
                .withMessageContaining("not a part of an export of group 'group 0'");
        Files.writeString(partial(), "something else\n");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(target()));
        Files.writeString(partial(), "{\"something\":\"else\"}\n");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(target()));
        assertThat(partial()).hasContent("{\"something\":\"else\"}\n");
    }

    @Test
    void thePartOfAnotherStoreIsNotContinued() throws IOException {
        fill(10);
        try (Store other = Store.builder().inMemory().open()) {
            other.group("group 1").put("00004", "of another store");
            StoreExport.of(other).toFile(partial());
        }
        byte[] all = complete();
        ExportResult result = StoreExport.of(store).toFile(target());
        assertThat(result.continued()).isZero();
        assertThat(Files.readAllBytes(target())).isEqualTo(all);
    }

    @Test
    @Promise(20)
    void aPartIsContinuedOnlyIfNobodyElseCanHaveMadeIt() throws IOException {
        fill(10);
        Path precious = Files.writeString(folder.resolve("precious"), "");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-r--r--"));
        Files.createSymbolicLink(partial(), precious);
        refused();
        Files.delete(partial());
        Files.createLink(partial(), precious);
        refused();
        Files.delete(partial());
        assertThat(precious).isEmptyFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(precious)))
                .isEqualTo("rw-r--r--");
        Files.writeString(partial(), "notes without the end of a line");
        refused();
        assertThat(partial()).hasContent("notes without the end of a line");
    }

    private void refused() throws IOException {
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreExport.of(store).toFile(target()))
                .withMessageContaining("not a part of an export");
        assertThat(target()).doesNotExist();
        assertThat(folder).isDirectoryNotContaining("glob:**.????????-*.partial");
    }

    @Test
    @Promise(20)
    void aPartOfAnotherUserIsNotContinued() throws IOException {
        Files.createFile(partial());
        UserPrincipal unused = FileOwners.giveAway(partial());
        refused();
    }

    @Test
    void twoExportsDoNotWriteOneFile() {
        fill(1_000);
        StoreExport other = StoreExport.of(store);
        StoreExport.of(store)
                .onProgress(progress -> assertThatExceptionOfType(StorePathException.class)
                        .isThrownBy(() -> other.toFile(target()))
                        .withMessageContaining("another export"))
                .toFile(target());
        assertThat(target()).exists();
    }

    /** Another process would write the file too. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void anExportThatIsContinuedKeepsItsLock() throws IOException {
        fill(2_000);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> StoreExport.of(store)
                .onProgress(progress -> {
                    if (progress.done() > 500) {
                        throw new IllegalStateException("stop");
                    }
                })
                .toFile(target()));
        List<Boolean> locked = new ArrayList<>();
        StoreExport.of(store).onProgress(progress -> locked.add(isLocked())).toFile(target());
        assertThat(locked).isNotEmpty().containsOnly(true);
    }

    private boolean isLocked() {
        try {
            String inode = ":" + Files.getAttribute(partial(), "unix:ino") + " ";
            return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(lock -> lock.contains(inode));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aStreamThatFailsIsReported() {
        fill(1);
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no room");
            }
        };
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> StoreExport.of(store).writeTo(failing))
                .withMessage("no room");
    }
}
