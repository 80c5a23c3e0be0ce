package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.sqlite.ChildJvm;
import dev.ttlstore.sqlite.Sql;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Processes that are killed while the file of their store shrinks: nothing is lost, and the next one goes on. */
@Tag("crash")
class ShrinkingCrashTests {

    private static final int ROUNDS = Math.max(1, Integer.getInteger("crash.rounds", 20) / 4);

    private static final long SMALL = 8L * 1024 * 1024;

    @TempDir
    Path folder;

    @Test
    @Promise({8, 11, 23})
    void whatWasWrittenWhileTheFileShrankIsThereAfterAKill() throws Exception {
        Path file = folder.resolve("store.db");
        Random random = new Random();
        Map<String, String> written = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (ChildJvm process = ChildJvm.start(ShrinkingProgram.class, file, Integer.toString(round))) {
                process.await(ShrinkingProgram.EMPTIED);
                listen(process, written, random.nextInt(1_500));
                process.kill();
                listen(process, written, Integer.MAX_VALUE); // what it said before it died counts
            }
            try (Store store = open(file, Duration.ofDays(1))) {
                assertThat(store.group("group").getAll()).containsAllEntriesOf(written);
                assertThat(store.count()).isBetween((long) written.size(), (long) written.size() + round + 1);
            }
            assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
        }
        try (Store store = open(file, Duration.ofMillis(1))) {
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.size(file) < SMALL);
            assertThat(store.group("group").getAll()).containsAllEntriesOf(written);
        }
    }

    private static Store open(Path file, Duration reclaimAfter) {
        return Store.builder()
                .engine(Sqlite.file(file).reclaimAfter(reclaimAfter))
                .purgeInterval(Duration.ZERO)
                .open();
    }

    private static void listen(ChildJvm process, Map<String, String> written, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            @Nullable String line = process.nextLine();
            if (line == null) {
                return;
            }
            if (line.startsWith(ShrinkingProgram.WRITTEN) && line.endsWith(CrashingProgram.END)) {
                String key = line.substring(
                        ShrinkingProgram.WRITTEN.length() + 1, line.length() - CrashingProgram.END.length());
                written.put(key, "value of " + key);
            }
        }
    }
}
