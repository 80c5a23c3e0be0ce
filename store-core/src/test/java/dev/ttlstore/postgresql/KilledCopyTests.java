package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.sqlite.ChildJvm;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Processes that copy a store and are killed, or have little memory. */
@Tag("postgresql")
class KilledCopyTests {

    private static final int ENTRIES = 2_000;

    @TempDir
    Path folder;

    private final String schema = TestServer.freshSchema();

    /** The processes know no password. */
    @BeforeEach
    void theServerTrustsItsUsers() {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setPassword(null);
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(0)).isTrue();
        } catch (SQLException e) {
            Assumptions.abort("the server that was given asks for a password");
        }
    }

    @Test
    @Tag("crash")
    @Promise({8, 11, 23})
    void aCopyToPostgreSqlThatWasKilledIsContinued() throws Exception {
        Path file = folder.resolve("store.db");
        fill(Sqlite.file(file), ENTRIES, 10);
        killAndContinue(
                file.toString(),
                onServer(),
                PostgreSql.on(TestServer.dataSource()).schema(schema));
    }

    @Test
    @Tag("crash")
    @Promise({8, 11, 23})
    void aCopyToAFileThatWasKilledIsContinued() throws Exception {
        Path file = folder.resolve("store.db");
        fill(PostgreSql.on(TestServer.dataSource()).schema(schema), ENTRIES, 10);
        killAndContinue(onServer(), file.toString(), Sqlite.file(file));
    }

    private void killAndContinue(String source, String target, EngineFactory written)
            throws IOException, InterruptedException {
        for (int step : new int[] {1, 3, 6}) {
            try (ChildJvm copying = start(step, source, target)) {
                String unused = copying.await("halting");
                copying.kill();
            }
            assertThatThrownBy(() -> Store.builder().engine(written).open())
                    .isInstanceOf(UnfinishedCopyException.class);
        }
        try (ChildJvm copying = start(0, source, target)) {
            assertThat(copying.await("copied")).isEqualTo(Integer.toString(ENTRIES));
        }
        try (Store store = Store.builder().engine(written).open()) {
            assertThat(store.group("many").count()).isEqualTo(ENTRIES);
        }
    }

    @Test
    @Tag("slow")
    void theMemoryForACopyDoesNotDependOnTheSizeOfTheStore() throws Exception {
        Path file = folder.resolve("store.db");
        Path copy = folder.resolve("copy.db");
        fill(Sqlite.file(file), ENTRIES, 100_000); // more than the heap of the process
        assertThat(Files.size(file)).isGreaterThan(190_000_000);
        try (ChildJvm copying = start(0, file.toString(), copy.toString())) {
            assertThat(copying.await("copied")).isEqualTo(Integer.toString(ENTRIES));
        }
        assertThat(Files.size(copy)).isGreaterThan(190_000_000);
    }

    private static void fill(EngineFactory engine, int entries, int bytes) {
        StoreBuilder settings = Store.builder().engine(engine);
        try (Store store = settings.open()) {
            for (int first = 0; first < entries; first += 500) {
                Map<String, byte[]> some = new HashMap<>();
                IntStream.range(first, first + 500).forEach(i -> some.put("key " + i, new byte[bytes]));
                store.group("many", byte[].class).putAll(some);
            }
        }
    }

    private String onServer() {
        return CopyingProgram.place(TestServer.dataSource(), schema);
    }

    private ChildJvm start(int step, String source, String target) throws IOException {
        return ChildJvm.start(CopyingProgram.class, folder, Integer.toString(step), source, target);
    }

    @AfterEach
    void drop() {
        TestServer.drop(schema);
    }
}
