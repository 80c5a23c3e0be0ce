package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.exception.StoreFullException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A file that may not grow: what is deleted or purged makes room in it. */
@Promise(23)
class PageLimitTests {

    private static final int SIZE = 10_000;

    private static final SqliteSettings SETTINGS =
            Sqlite.inMemory().settings(new EngineSettings(false, Duration.ZERO, InstantSource.system()));

    @TempDir
    Path folder;

    @Test
    void aFullFileIsReadAndPurgedAndTakesWritesAgain() {
        String url = "jdbc:sqlite:" + folder.resolve("store.db");
        SqliteErrors errors = new SqliteErrors("of this test");
        try (SqliteSession writer = SqliteSession.open(url, errors);
                SqliteSession reader = SqliteSession.open(url, errors)) {
            SqliteSchema.prepare(writer);
            SETTINGS.configure(writer, SqliteSettings.Role.WRITER);
            SETTINGS.configure(reader, SqliteSettings.Role.READER);
            writer.pragma("max_page_count = 100");
            int written = fill(writer);
            assertThat(written).isGreaterThan(10);
            for (int i = 0; i < written; i++) {
                assertThat(reader.reads().get(key(i), Reads.ALL)).isNotNull();
            }
            assertThat(reader.reads().get(key(written), Reads.ALL)).isNull();

            // Half of them have expired.
            int purged = writer.inTransaction(() -> Transactions.of(writer)
                    .removeExpired(GroupRange.ALL, written / 2, PurgeBudget.of(1_000), List.of())
                    .removed()
                    .size());
            assertThat(purged).isEqualTo(written / 2);
            for (int i = 0; i < purged - 1; i++) {
                put(writer, i);
            }
            assertThat(reader.reads().count(Scan.groups(GroupRange.ALL, Reads.ALL, 1)))
                    .isEqualTo(written - 1);
            assertThat(writer.pragma("integrity_check")).isEqualTo("ok");
        }
    }

    private static int fill(SqliteSession writer) {
        int[] written = {0};
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> {
            while (true) {
                put(writer, written[0]);
                written[0]++;
            }
        });
        return written[0];
    }

    private static void put(SqliteSession writer, int i) {
        Row row = new Row(key(i), new byte[SIZE], 1, 0, 0, i + 1);
        writer.inTransaction(() -> {
            Transactions.of(writer).store(List.of(new RowChange(null, row)));
            return true;
        });
    }

    private static RowKey key(int i) {
        return new RowKey("group", "key" + i);
    }
}
