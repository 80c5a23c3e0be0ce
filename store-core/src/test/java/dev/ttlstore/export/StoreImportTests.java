package dev.ttlstore.export;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.ImportLineException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StorePathException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What an import does with good and bad lines. */
class StoreImportTests {

    private static final String TIMES = "\"createdAt\":\"2026-01-01T00:00:00Z\",\"updatedAt\":\"2026-01-01T00:00:00Z\"";

    @TempDir
    Path folder;

    private final Store store = Store.builder().inMemory().open();

    @AfterEach
    void close() {
        store.close();
    }

    private static String line(String key) {
        return "{\"group\":\"group\",\"key\":\"" + key + "\",\"value\":\"secret\"," + TIMES + "}";
    }

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("entries.jsonl"), String.join("\n", lines) + "\n");
    }

    @Test
    void linesByHandAreImported() throws IOException {
        Path file = Files.writeString(
                folder.resolve("entries.jsonl"),
                "\n  " + line("a") + "\r\n\n{" + TIMES
                        + ",\"base64\":\"/w==\",\"key\":\"b\",\"group\":\"acme:bytes\",\"expiresAt\":\"2999-01-01T00:00:00+01:00\"}");
        ImportResult result = StoreImport.into(store).fromFile(file);
        assertThat(result.entries()).isEqualTo(2);
        assertThat(store.group("group").get("a")).contains("secret");
        assertThat(store.scope("acme")
                        .group("bytes", dev.ttlstore.Codec.bytes())
                        .get("b"))
                .contains(new byte[] {(byte) 0xff});
    }

    @Test
    void aByteOrderMarkAtTheBeginningIsSkipped() throws IOException {
        ImportResult result = StoreImport.into(store).fromFile(file("\uFEFF" + line("a"), line("b")));
        assertThat(result.entries()).isEqualTo(2);
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(file(line("c"), "\uFEFF" + line("d"))))
                .withMessageStartingWith("Line 2");
    }

    @Test
    void aStreamIsReadOnceAndLeavesNothingBehind() throws IOException {
        InputStream once = new ByteArrayInputStream((line("a") + "\n" + line("b") + "\n").getBytes(UTF_8));
        ImportResult result = StoreImport.into(store).fromStream(once);
        assertThat(result.created()).isEqualTo(2);
        assertThat(store.count()).isEqualTo(2);
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store)
                        .fromStream(new ByteArrayInputStream((line("c") + "\nbad").getBytes(UTF_8))))
                .withMessageContaining("Line 2 of the stream");
        assertThat(store.count()).isEqualTo(2);
        assertNoTemporaryFile();
    }

    private static void assertNoTemporaryFile() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("ttl-store-import"));
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aKilledImportOfAStreamLeavesNothingBehind() {
        InputStream looking = new ByteArrayInputStream((line("a") + "\n").getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int from, int length) {
                try {
                    assertNoTemporaryFile(); // so there is nothing to remove, whatever happens next
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return super.read(bytes, from, length);
            }
        };
        assertThat(StoreImport.into(store).fromStream(looking).created()).isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatCannotBeReadTwiceIsRefused() {
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(Path.of("/dev/null")))
                .withMessageContaining("not a regular file")
                .withMessageContaining("as a stream");
    }

    @Test
    @Promise(24)
    void aLineThatIsLongerThanAnyEntryIsNotReadToItsEnd() throws IOException {
        Path endless = folder.resolve("endless.jsonl");
        try (RandomAccessFile file = new RandomAccessFile(endless.toFile(), "rw")) {
            file.write('{');
            file.setLength(700_000_000); // sparse
        }
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(endless))
                .withMessageContaining("maxValueSize");
        String escaped = "\\u0001".repeat(1024 * 1024);
        ImportResult largest = StoreImport.into(store).fromFile(file(line("a").replace("secret", escaped)));
        assertThat(largest.created()).isEqualTo(1);
    }

    @Test
    void longerFormsOfUtf8AreRefused() throws IOException {
        byte[] line = line("a#").getBytes(UTF_8);
        byte[] overlong = new byte[line.length + 1];
        int at = line("a#").indexOf('#');
        System.arraycopy(line, 0, overlong, 0, at);
        overlong[at] = (byte) 0xC0;
        overlong[at + 1] = (byte) 0xAF;
        System.arraycopy(line, at + 1, overlong, at + 2, line.length - at - 1);
        Path file = Files.write(folder.resolve("overlong.jsonl"), overlong);
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(file))
                .withMessageContaining("not UTF-8");
    }

    @ParameterizedTest
    @Promise({8, 12})
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            secret                                                                         | it is not a JSON object
            [1]                                                                            | it is not a JSON object
            {"group":"g"                                                                   | it is not valid JSON, at column
            {"group":"g"} {}                                                               | after the JSON object
            {"secret                                                                       | it is not valid JSON
            {"key":"k","value":"secret",TIMES}                                             | it has no group
            {"group":"g","key":"k",TIMES}                                                  | neither 'value' nor 'base64'
            {"group":"g","key":"k","value":"secret","base64":"",TIMES}                     | both 'value' and 'base64'
            {"group":"g","key":"k","base64":"?secret?",TIMES}                              | 'base64' is not Base64
            {"group":"g","key":"k","value":"\\uD800",TIMES}                                | half of a surrogate pair
            {"group":"g","key":"k","value":null,TIMES}                                     | 'value' must be a string
            {"group":"g","key":"k","value":{"a":1},TIMES}                                  | 'value' must be a string
            {"group":"g","key":"k","value":"secret","value":"b",TIMES}                     | it is not valid JSON
            {"group":"g","key":"k","value":"secret","ttl":"b",TIMES}                       | 'ttl' is not a field of an entry
            {"group":"g","key":"k","value":"secret","a secret":1,TIMES}                    | it has a field that is not a field of an entry
            {"group":"g","key":"k","value":"secret","version":1.5,TIMES}                   | 'version' must be a whole number
            {"group":"g","key":"k","value":"secret","version":99999999999999999999,TIMES}  | 'version' must be a whole number
            {"group":"g","key":"k","value":"secret","expiresAt":"tomorrow",TIMES}          | 'expiresAt' must be a time
            {"group":"g","key":"k","value":"secret","createdAt":"2026-01-02T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"} | 'updatedAt' must not be before
            {"group":"","key":"k","value":"secret",TIMES}                                  | 'group' must be 1 to 1,024 bytes
            {"group":"g","key":"a\\u0000b","value":"secret",TIMES}                         | 'key' must not contain the NUL
            """)
    void aBadLineIsNamedBeforeAnythingIsWritten(String bad, String problem) throws IOException {
        Path file = file(line("a"), "", bad.replace("TIMES", TIMES), line("b"));
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(file))
                .withMessageStartingWith("Line 3 of " + file + " cannot be imported: ")
                .withMessageContaining(problem)
                .withMessageContaining("Nothing was written")
                .satisfies(e -> assertThat(e.line()).isEqualTo(3))
                .satisfies(e -> assertThat(e).hasStackTraceContaining("ImportLineException"))
                .satisfies(e -> {
                    for (Throwable each = e; each != null; each = each.getCause()) {
                        assertThat(each.toString()).doesNotContain("secret");
                    }
                });
        assertThat(store.count()).isZero();
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws IOException {
        byte[] bytes = (line("a").replace("secret", "?") + "\n").getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '?') {
                bytes[i] = (byte) 0xff;
            }
        }
        Path file = Files.write(folder.resolve("entries.jsonl"), bytes);
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(file))
                .withMessageStartingWith("Line 1");
        Path none = folder.resolve("none.jsonl");
        assertThatExceptionOfType(StorePathException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(none))
                .withMessageContaining(none.toString());
    }

    @Test
    @Promise({8, 19})
    void theLineThatExceedsAQuotaIsNamed() throws IOException {
        store.scope("acme", new Quota(2, 0, 0)).group("group").put("a", "mine");
        List<String> lines = new ArrayList<>();
        for (String key : List.of("a", "b", "c", "d")) {
            lines.add(line(key).replace("\"group\":\"group\"", "\"group\":\"acme:group\""));
        }
        Path file = file(lines.toArray(String[]::new));
        assertThatExceptionOfType(ImportLineException.class)
                .isThrownBy(() -> StoreImport.into(store).fromFile(file))
                .withMessageStartingWith("Line 3")
                .withCauseInstanceOf(QuotaExceededException.class);
        assertThat(store.scope("acme").group("group").keys()).containsExactly("a", "b");
        assertThat(store.scope("acme").group("group").get("a")).contains("mine");
    }

    @Test
    void anInterruptedImportIsContinued() throws IOException {
        for (int i = 0; i < 2_000; i++) {
            store.group("group").put("key " + i, "value", Duration.ofHours(1));
        }
        Path file = folder.resolve("all.jsonl");
        StoreExport.of(store).toFile(file);
        assertThat(store.deleteGroup("group")).isEqualTo(2_000);
        List<TransferProgress> told = new ArrayList<>();
        assertThatExceptionOfType(StoreInterruptedException.class).isThrownBy(() -> StoreImport.into(store)
                .onProgress(progress -> {
                    told.add(progress);
                    if (progress.phase() == TransferProgress.Phase.IMPORTING && progress.entries() > 500) {
                        Thread.currentThread().interrupt();
                    }
                })
                .fromFile(file));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).extracting(TransferProgress::total).containsOnly(Files.size(file));
        long first = store.group("group").count();
        assertThat(first).isBetween(500L, 1_999L);
        ImportResult result = StoreImport.into(store).fromFile(file);
        assertThat(result.unchanged()).isEqualTo(first);
        assertThat(result.created()).isEqualTo(2_000 - first);
        assertThat(result.entries()).isEqualTo(2_000);
        assertThat(store.group("group").count()).isEqualTo(2_000);
    }
}
