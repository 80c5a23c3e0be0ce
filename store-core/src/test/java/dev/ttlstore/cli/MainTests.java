package dev.ttlstore.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.sqlite.Sql;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The command line with files: what it prints, what it does, and its exit codes. */
class MainTests {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        out.reset();
        err.reset();
        return Program.run(InputStream.nullInputStream(), out, err, 0, args);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void fill(int entries) {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            for (int i = 0; i < entries; i++) {
                store.group("group").put("key " + i, "secret");
            }
            store.scope("acme").group("group").put("late", "secret", Duration.ofHours(1));
        }
    }

    private long count(String name) {
        try (Store store = Store.open(folder.resolve(name))) {
            return store.count();
        }
    }

    @Test
    void helpListsTheCommandsAndTheirExitCodes() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("backup", "restore", "check", "export", "import", "copy", "stats", "Exit codes");
        assertThat(run("help", "export")).isZero();
        assertThat(out()).contains("--scope", "--store", "standard output");
        assertThat(run("--version")).isZero();
        assertThat(out()).startsWith("TTL Store");
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThat(run()).isEqualTo(2);
        assertThat(err()).contains("Missing required subcommand", "Usage: ttl-store");
        assertThat(run("stats")).isEqualTo(2);
        assertThat(err()).contains("--store");
        assertThat(run("stats", "--store", path("app.db"), "--stroe", "x")).isEqualTo(2);
        assertThat(err()).contains("--stroe");
        assertThat(run("export", "--store", path("app.db"), "--group", "a", "--scope", "b", "-"))
                .isEqualTo(2);
    }

    @Test
    void aStoreThatDoesNotExistIsNotCreated() {
        for (String command : new String[] {"stats", "check"}) {
            assertThat(run(command, "--store", path("none.db"))).isEqualTo(1);
            assertThat(err()).contains("There is no store " + path("none.db")).doesNotContain("\tat ");
        }
        assertThat(run("stats", "--store", path("none.db"), "--stacktrace")).isEqualTo(1);
        assertThat(err()).contains("\tat ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aUrlThatIsNotOfJdbcIsRefusedWithoutItsPassword() {
        for (String url : List.of(
                "postgresql://user:secret@host/db",
                "postgres:user:secret@host",
                "jdbc:postgres://host/db?password=secret",
                "HTTP://user:secret@host/")) {
            assertThat(run("stats", "--store", url)).isNotZero();
            assertThat(err()).contains("jdbc:postgresql:").doesNotContain("secret");
            assertThat(run("copy", "--store", path("app.db"), "--to", url)).isNotZero();
            assertThat(err()).doesNotContain("secret");
        }
    }

    @Test
    void aPasswordInAWrongArgumentIsNotPrinted() {
        String store = path("app.db");
        fill(1);
        for (List<String> args : List.of(
                List.of("stats", "--store", "jdbc:postgresql://user:secret@host/db", "--stacktrace"),
                List.of("stats", "--store", "jdbc:postgresql://user:secret@host:5432/db", "--stacktrace"),
                List.of("stats", "--store", store, "jdbc:postgresql://host/db?password=secret"),
                List.of("jdbc:postgresql://host/db?password=secret"),
                List.of("stats", "--store", store, "--stroe=jdbc:postgresql://host/db?password=secret"),
                List.of("stats", "--store", store, "--password=secret"),
                List.of("backup", "--store", store, "jdbc:postgresql://user:secret@host/db"),
                List.of("restore", "--store", path("new.db"), "postgresql://user:secret@host/db"),
                List.of("export", "--store", store, "jdbc:postgresql://host/db?password=secret"),
                List.of("import", "--store", store, "postgresql://user:secret@host/db"))) {
            assertThat(run(args.toArray(String[]::new))).as(args.toString()).isEqualTo(2);
            assertThat(out() + err())
                    .as(args.toString())
                    .doesNotContain("secret")
                    .contains("URL");
        }
        assertThat(Program.hasSecret("'secret' is too much", "stats", "--to-password", "secret"))
                .isTrue();
        assertThat(Program.hasSecret("'--stroe' is too much", "stats", "--password", "--stroe"))
                .isFalse();
    }

    @Test
    void namesDoNotControlTheTerminal() throws Exception {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            store.group("red\u001b[31m").put("line\nSTRUCTURE: forged\u202e", "value");
        }
        Sql.run(folder.resolve("app.db"), "UPDATE entry SET value = x'00'");
        assertThat(run("check", "--store", path("app.db"))).isEqualTo(3);
        assertThat(out())
                .contains("group 'red\\u001b[31m' key 'line\\u000aSTRUCTURE: forged\\u202e'")
                .doesNotContain("\u001b", "\u202e", "\nSTRUCTURE: forged");
    }

    @Test
    void anEmptyFileIsNoStoreAndStaysAsItIs() throws IOException {
        Files.createFile(folder.resolve("empty.db"));
        for (String command : new String[] {"stats", "check", "repair"}) {
            assertThat(run(command, "--store", path("empty.db"))).isEqualTo(1);
            assertThat(err()).contains("There is no store " + path("empty.db"), "empty");
        }
        assertThat(folder.resolve("empty.db")).isEmptyFile();
        assertThat(folder).isDirectoryNotContaining("glob:**.lock");
    }

    @Test
    @Tag("slow")
    @Promise(20)
    void aStoreInUseIsNamedWithWhatToDo() {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            assertThat(store.count()).isZero();
            assertThat(run("stats", "--store", path("app.db"))).isEqualTo(1);
            assertThat(err()).contains("Failed: ").contains("What to do: ");
        }
    }

    @Test
    void statisticsAndACheckArePrinted() {
        fill(3);
        assertThat(run("stats", "--store", path("app.db"))).isZero();
        assertThat(out())
                .containsPattern("entries +4\\R")
                .containsPattern("groups +2\\R")
                .contains("SQLite");
        assertThat(run("check", "--store", path("app.db"))).isZero();
        assertThat(out()).contains("4 rows, nothing found");
        assertThat(run("repair", "--store", path("app.db"))).isZero();
        assertThat(out()).contains("is sound and was left as it is");
        assertThat(err()).isEmpty();
    }

    /** With a page of garbage. */
    @Test
    @Promise(23)
    void aDamagedFileIsFoundAndRepaired() throws IOException {
        fill(300);
        byte[] bytes = Files.readAllBytes(folder.resolve("app.db"));
        java.util.Arrays.fill(bytes, bytes.length - 4096, bytes.length, (byte) 0x55);
        Files.write(folder.resolve("app.db"), bytes);
        assertThat(run("check", "--store", path("app.db"))).isEqualTo(3);
        assertThat(out()).contains("STRUCTURE", "what to do", "findings").doesNotContain("secret");
        assertThat(run("repair", "--store", path("app.db"))).isIn(0, 3);
        assertThat(out()).contains("Repaired", ".damaged");
        assertThat(run("check", "--store", path("app.db"))).isZero();
        assertThat(count("app.db")).isPositive();
        assertThat(run("repair", "--store", "jdbc:postgresql://127.0.0.1/x")).isEqualTo(1);
        assertThat(err()).contains("REINDEX");
    }

    @Test
    @Promise(9)
    void aLostStoreIsRestoredFromItsBackup() throws IOException {
        fill(100);
        String backup = path("app.db.2026-01-01.backup");
        assertThat(run("backup", "--store", path("app.db"), backup)).isZero();
        assertThat(out()).contains("Made the backup " + backup);
        assertThat(run("check", "--store", backup)).isZero();
        assertThat(run("backup", "--store", path("app.db"), backup)).isEqualTo(1);
        assertThat(err()).contains("there is such a file", "What to do");
        assertThat(run("restore", "--store", path("app.db"), backup)).isEqualTo(1);
        assertThat(err()).contains("because it exists");
        Files.delete(folder.resolve("app.db"));
        assertThat(run("restore", "--store", path("app.db"), path("none"))).isEqualTo(1);
        assertThat(err()).contains("There is no backup");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(run("restore", "--store", path("app.db"), empty.toString())).isEqualTo(1);
        assertThat(err()).contains("There is no backup of app.db");
        assertThat(folder.resolve("app.db")).doesNotExist();
        assertThat(run("restore", "--store", path("app.db"), folder.toString())).isZero();
        assertThat(out()).contains("101 entries", backup);
        assertThat(count("app.db")).isEqualTo(101);
        assertThat(run("restore", "--store", "jdbc:postgresql://127.0.0.1/x", backup))
                .isEqualTo(1);
        assertThat(err()).contains("pg_restore");
    }

    @Test
    void entriesAreExportedAndImported() throws IOException {
        fill(1_000);
        assertThat(run("export", "--store", path("app.db"), path("all.jsonl"))).isZero();
        assertThat(out()).contains("Exported 1,001 entries");
        assertThat(Files.readAllLines(folder.resolve("all.jsonl"))).hasSize(1_001);
        assertThat(run("export", "--store", path("app.db"), "--scope", "acme", "-"))
                .isZero();
        assertThat(out().lines()).hasSize(1).allMatch(line -> line.startsWith("{\"group\":\"acme:group\""));
        assertThat(err()).contains("Exported 1 entries");
        assertThat(run("export", "--store", path("app.db"), "--group", "group", path("one.jsonl")))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("one.jsonl"))).hasSize(1_000);
        Store.open(folder.resolve("other.db")).close();
        assertThat(run("import", "--store", path("other.db"), path("all.jsonl")))
                .isZero();
        assertThat(out()).contains("1,001 created");
        assertThat(run("import", "--store", path("other.db"), "--replace", path("all.jsonl")))
                .isZero();
        assertThat(out()).contains("1,001 were there");
        Files.writeString(folder.resolve("bad.jsonl"), "{}\n");
        assertThat(run("import", "--store", path("other.db"), path("bad.jsonl")))
                .isEqualTo(1);
        assertThat(err()).contains("Line 1 of", "Nothing was written");
        assertThat(count("other.db")).isEqualTo(1_001);
    }

    @Test
    void entriesAreImportedFromTheStandardInput() throws IOException {
        fill(1_000);
        assertThat(run("export", "--store", path("app.db"), "-")).isZero();
        Store.open(folder.resolve("other.db")).close();
        InputStream exported = new ByteArrayInputStream(out.toByteArray());
        out.reset();
        assertThat(Program.run(exported, out, err, 0, "import", "--store", path("other.db"), "-"))
                .isZero();
        assertThat(out()).contains("Imported the standard input", "1,001 created");
        assertThat(count("other.db")).isEqualTo(1_001);
    }

    @Test
    void whatTheStoreRejectsIsAWrongArgument() {
        fill(1);
        assertThat(run("export", "--store", path("app.db"), "--scope", "a b", "-"))
                .isEqualTo(2);
        assertThat(err()).contains("Failed: ", "'namespace'");
        assertThat(run("export", "--store", path("app.db"), "--group", "", "-")).isEqualTo(2);
    }

    @Test
    void anOutputThatCannotBeWrittenIsAFailure() {
        fill(3);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        for (String[] args : List.of(
                new String[] {"export", "--store", path("app.db"), "-"},
                new String[] {"stats", "--store", path("app.db")})) {
            err.reset();
            assertThat(Program.run(InputStream.nullInputStream(), full, err, 0, args))
                    .isEqualTo(1);
            assertThat(err()).contains("Failed: ");
        }
    }

    @Test
    void aStoreIsCopied() {
        fill(10);
        assertThat(run("copy", "--store", path("app.db"), "--to", path("copy.db")))
                .isZero();
        assertThat(out()).contains("11 entries");
        assertThat(count("copy.db")).isEqualTo(11);
        assertThat(run("copy", "--store", path("app.db"), "--to", path("copy.db")))
                .isEqualTo(1);
        assertThat(err()).contains("is not empty");
    }
}
