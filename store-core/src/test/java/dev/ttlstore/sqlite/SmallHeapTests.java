package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Large values in a small heap. */
class SmallHeapTests {

    @TempDir
    Path folder;

    @Test
    @Tag("slow")
    @Promise({15, 24})
    void noQueueBufferPageOrBatchHoldsMoreThanItsBound() throws IOException {
        List<String> lines = new ArrayList<>();
        try (ChildJvm program =
                ChildJvm.startWithOption("-Xmx64m", SmallHeapProgram.class, folder.resolve("store.db"))) {
            for (String line = program.nextLine(); line != null; line = program.nextLine()) {
                lines.add(line);
            }
        }
        assertThat(lines).endsWith("end").noneMatch(line -> line.contains("failed") || line.contains("OutOfMemory"));
    }
}
