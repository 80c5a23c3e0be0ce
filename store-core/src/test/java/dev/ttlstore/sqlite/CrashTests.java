package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;

/** Processes that write and are killed: whatever they were told is done must stay done. */
class CrashTests {

    private static final int ROUNDS = 5;

    @TempDir
    Path folder;

    private final Set<String> present = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private long lastVersion;

    @Test
    @Promise({9, 11, 23})
    void whatWasAcknowledgedBeforeAKillIsThereAfterIt() throws IOException, InterruptedException, SQLException {
        Path file = folder.resolve("store.db");
        Random random = new Random();
        for (int round = 0; round < ROUNDS; round++) {
            try (ChildJvm writer = ChildJvm.start(WritingProgram.class, file)) {
                listen(writer, 200 + random.nextInt(1_500));
                writer.kill();
                listen(writer, Integer.MAX_VALUE); // what it said before it died counts
            }
            try (Store store = Store.open(file)) {
                TextGroup group = store.group("group");
                assertThat(present).isNotEmpty().allSatisfy(key -> assertThat(group.get(key))
                        .contains("value of " + key));
                assertThat(gone).isNotEmpty().allSatisfy(key -> assertThat(group.contains(key))
                        .isFalse());
                group.put("after the crash", "value");
                long version = group.entry("after the crash").orElseThrow().version();
                assertThat(version).isGreaterThan(lastVersion);
                lastVersion = version;
            }
            assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
        }
    }

    private void listen(ChildJvm writer, int lines) throws IOException {
        @Nullable String line = "";
        for (int i = 0; i < lines && line != null; i++) {
            line = writer.nextLine();
            if (line != null) {
                note(line);
            }
        }
    }

    private void note(String line) {
        if (!line.endsWith(WritingProgram.END)) {
            return;
        }
        String[] words = line.split(" ", -1);
        if (line.startsWith("put ")) {
            present.add(words[1]);
            lastVersion = Math.max(lastVersion, Long.parseLong(words[2]));
        } else if (line.startsWith("taking ")) {
            present.remove(words[1]);
        } else if (line.startsWith("taken ")) {
            gone.add(words[1]);
        }
    }
}
