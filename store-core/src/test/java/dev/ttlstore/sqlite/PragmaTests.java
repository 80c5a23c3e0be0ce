package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Durability;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.sqlite.SqliteSettings.Role;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(21)
class PragmaTests {

    @TempDir
    Path folder;

    @Test
    void aWriterIsInWalModeAndOverwritesWhatItDeletes() {
        try (SqliteSession session = session(Role.WRITER, false)) {
            assertThat(session.pragma("journal_mode")).isEqualTo("wal");
            assertThat(session.pragma("synchronous")).isEqualTo("1");
            assertThat(session.pragma("secure_delete")).isEqualTo("2");
            assertThat(session.pragma("query_only")).isEqualTo("0");
            assertThat(session.pragma("journal_size_limit")).isEqualTo("67108864");
            assertChecksWhatItReads(session);
        }
    }

    @Test
    @Promise({11, 21})
    void aWriterWithFullDurabilityWaitsForTheDisk() {
        try (SqliteSession session = session(Role.WRITER, true)) {
            assertThat(session.pragma("synchronous")).isEqualTo("2");
        }
    }

    @Test
    void aReaderCannotWrite() {
        Store.open(folder.resolve("store.db")).close();
        try (SqliteSession session = session(Role.READER, false)) {
            assertThat(session.pragma("journal_mode")).isEqualTo("wal");
            assertThat(session.pragma("query_only")).isEqualTo("1");
            assertChecksWhatItReads(session);
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> session.execute("DELETE FROM entry"));
        }
    }

    @Test
    void aSessionInMemoryIsCheckedToo() {
        try (SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"))) {
            Sqlite.inMemory()
                    .settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()))
                    .configure(session, Role.MEMORY);
            assertThat(session.pragma("journal_mode")).isEqualTo("memory");
            assertChecksWhatItReads(session);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise(11)
    void aStoreKeepsItsEntriesWithEitherDurability(Durability durability) {
        Path file = folder.resolve("store.db");
        for (int i = 0; i < 2; i++) {
            try (Store store = Store.builder().path(file).durability(durability).open()) {
                store.group("group").put("key" + i, "value");
            }
        }
        try (Store store = Store.builder().path(file).durability(durability).open()) {
            assertThat(store.group("group").getAll()).containsOnlyKeys("key0", "key1");
        }
    }

    private static void assertChecksWhatItReads(SqliteSession session) {
        assertThat(session.pragma("cell_size_check")).isEqualTo("1");
        assertThat(session.pragma("trusted_schema")).isEqualTo("0");
        assertThat(session.pragma("busy_timeout")).isEqualTo("5000");
    }

    private SqliteSession session(Role role, boolean syncCommits) {
        Path file = folder.resolve("store.db");
        SqliteSession session = SqliteSession.open("jdbc:sqlite:" + file, new SqliteErrors(file.toString()));
        Sqlite.file(file)
                .settings(new EngineSettings(syncCommits, Duration.ZERO, InstantSource.system()))
                .configure(session, role);
        return session;
    }
}
