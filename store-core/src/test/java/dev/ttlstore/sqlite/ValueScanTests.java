package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Reads of the values of a whole group. */
class ValueScanTests {

    private static final SqliteSettings SETTINGS =
            Sqlite.inMemory().settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));

    private static final int LARGE = 700 * 1024;

    @TempDir
    Path folder;

    @Test
    void allLiveValuesComeInOnePageHoweverLargeAndNoTimesAreReadForThem() {
        try (SqliteSession session =
                SqliteSession.open("jdbc:sqlite:" + folder.resolve("store.db"), new SqliteErrors("of this test"))) {
            SqliteSchema.prepare(session);
            SETTINGS.configure(session, SqliteSettings.Role.WRITER);
            put(session, row("group", "expired", 1, 10));
            put(session, row("group", "b", LARGE, 11));
            put(session, row("group", "c", LARGE, Row.NEVER));
            put(session, row("group", "a", 0, Row.NEVER));
            put(session, row("group2", "other", 1, Row.NEVER));

            RowPage page = session.reads().page(Scan.values("group", 10));

            assertThat(page.more()).isFalse();
            assertThat(page.own()).isTrue();
            assertThat(page.rows()).extracting(row -> row.key().key()).containsExactly("a", "b", "c");
            assertThat(page.rows()).extracting(row -> row.value().length).containsExactly(0, LARGE, LARGE);
            assertThat(page.rows()).extracting(Row::createdAt).containsOnly(0L);
            assertThat(page.rows()).extracting(Row::expiresAt).containsOnly(Row.NEVER);
        }
    }

    private static void put(SqliteSession session, Row row) {
        session.inTransaction(() -> {
            Transactions.of(session).store(List.of(new RowChange(null, row)));
            return true;
        });
    }

    private static Row row(String group, String key, int size, long expiresAt) {
        return new Row(new RowKey(group, key), new byte[size], 7, 5, 6, expiresAt);
    }
}
