package dev.ttlstore.cli;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.postgresql.TestServer;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The command line with a database. */
@Tag("postgresql")
class DatabaseTests {

    @TempDir
    Path folder;

    private final PGSimpleDataSource server = TestServer.dataSource();
    private final String schema = TestServer.freshSchema();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void drop() {
        TestServer.drop(schema);
    }

    private int run(String command, String... more) {
        out.reset();
        err.reset();
        String[] args = new String[more.length + 7];
        args[0] = command;
        args[1] = "--store";
        args[2] = url();
        args[3] = "--schema";
        args[4] = schema;
        args[5] = "--user";
        args[6] = String.valueOf(server.getUser());
        System.arraycopy(more, 0, args, 7, more.length);
        return Program.run(InputStream.nullInputStream(), out, err, 0, args);
    }

    private String url() {
        String password = server.getPassword();
        return server.getUrl()
                + (password == null ? "" : (server.getUrl().contains("?") ? "&" : "?") + "password=" + password);
    }

    private void fill() {
        try (Store store = Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .open()) {
            for (int i = 0; i < 100; i++) {
                store.group("group").put("key " + i, "secret");
            }
        }
    }

    @Test
    void everyCommandWorksOnADatabase() throws Exception {
        fill();
        assertThat(run("stats")).as(err.toString(UTF_8)).isZero();
        assertThat(out.toString(UTF_8))
                .containsPattern("entries +100\\R")
                .contains("PostgreSQL", "schema '" + schema + "'");
        assertThat(run("check")).as(err.toString(UTF_8)).isZero();
        Path lines = folder.resolve("all.jsonl");
        assertThat(run("export", lines.toString())).as(err.toString(UTF_8)).isZero();
        assertThat(Files.readAllLines(lines)).hasSize(100);
        assertThat(run("import", lines.toString())).as(err.toString(UTF_8)).isZero();
        assertThat(out.toString(UTF_8)).contains("100 were there");
        Path copy = folder.resolve("copy.db");
        assertThat(run("copy", "--to", copy.toString())).as(err.toString(UTF_8)).isZero();
        try (Store store = Store.open(copy)) {
            assertThat(store.count()).isEqualTo(100);
        }
        assertThat(run("backup", folder.resolve("x.backup").toString())).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("use those of the database");
    }

    @Test
    void aSchemaThatIsMissingIsNotCreated() throws Exception {
        assertThat(run("stats")).isEqualTo(1);
        assertThat(err.toString(UTF_8))
                .contains("Failed: ", schema, "--schema", "schema.sql")
                .doesNotContain("initializeSchema");
        assertThat(run("check")).isEqualTo(1);
        assertThat(Program.run(
                        InputStream.nullInputStream(),
                        out,
                        err,
                        0,
                        "stats",
                        "--store",
                        "jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1"))
                .isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("Failed: ").doesNotContain("\tat ");
    }
}
