package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Callers that have no stack left, at any place in a call of the store, while others use it. */
@Promise({8, 11, 23})
class StackOverflowTests {

    @TempDir
    Path folder;

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(booleans = {true, false})
    void noneStopsTheStoreNorLosesOrRepeatsAWrite(boolean cached) throws IOException {
        try (ChildJvm program =
                ChildJvm.start(StackOverflowProgram.class, folder.resolve("store.db"), String.valueOf(cached))) {
            assertThat(program.await("overflows")).matches("[1-9][0-9]+");
            assertThat(program.await("lost")).isEqualTo("0");
            assertThat(program.await("twice")).isEqualTo("0");
            assertThat(program.await("closed")).isEmpty();
        }
    }
}
