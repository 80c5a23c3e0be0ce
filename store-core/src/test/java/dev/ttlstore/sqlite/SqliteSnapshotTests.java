package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.EngineWrites;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a transaction reads and uses before it commits. */
class SqliteSnapshotTests {

    @TempDir
    Path folder;

    private final EngineSettings settings = new EngineSettings(false, Duration.ZERO, new MovableClock());

    @Test
    @Promise(9)
    void aVersionIsSetAsideBeforeAnybodySeesIt() {
        try (Engine engine = open();
                EngineSnapshot snapshot = engine.snapshot();
                SqliteSession beside = SqliteSession.open("jdbc:sqlite:" + file(), new SqliteErrors("beside"))) {
            for (int i = 0; i < 25_000; i++) {
                long seen = snapshot.nextSequence("group");
                if (i % 1_000 == 0) {
                    assertThat(SequenceRow.read(beside).sequence()).isGreaterThanOrEqualTo(seen);
                }
            }
        }
    }

    @Test
    @Promise(9)
    void aClosedStoreContinuesWithoutAGap() {
        long last;
        try (Engine engine = open();
                EngineSnapshot snapshot = engine.snapshot()) {
            last = snapshot.nextSequence("group");
        }
        try (SqliteSession beside = SqliteSession.open("jdbc:sqlite:" + file(), new SqliteErrors("beside"))) {
            assertThat(SequenceRow.read(beside))
                    .isEqualTo(new HighWater(last, settings.clock().millis()));
        }
        try (Engine engine = open();
                EngineSnapshot snapshot = engine.snapshot()) {
            assertThat(snapshot.nextSequence("group")).isEqualTo(last + 1);
        }
    }

    @Test
    @Promise(19)
    void rowsAndUsageAreLoadedTogether() {
        Row row = new Row(new RowKey("ns:a", "k"), new byte[3], 1, 0, 0, Row.NEVER);
        try (Engine engine = open();
                EngineSnapshot snapshot = engine.snapshot()) {
            EngineWrites.store(engine, new RowChange(null, row));
            Loaded loaded = snapshot.load(List.of(row.key(), new RowKey("ns:a", "none")), Set.of("ns", "other"));
            assertThat(loaded.rows()).containsOnlyKeys(row.key());
            assertThat(loaded.usage()).containsOnlyKeys("ns", "other");
            assertThat(loaded.usage().get("ns")).satisfies(usage -> {
                assertThat(usage.keys()).isEqualTo(1);
                assertThat(usage.bytes()).isEqualTo(4);
            });
            assertThat(loaded.usage().get("other"))
                    .satisfies(usage -> assertThat(usage.groups()).isZero());
        }
    }

    private Path file() {
        return folder.resolve("store.db");
    }

    private Engine open() {
        return Sqlite.file(file()).open(settings);
    }
}
