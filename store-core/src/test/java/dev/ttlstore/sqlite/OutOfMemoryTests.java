package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.internal.base.Completions;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A heap that is full for a while, as the application that the store is in may make it. */
@Promise({11, 17, 23})
class OutOfMemoryTests {

    @TempDir
    Path folder;

    @Tag("slow")
    @Test
    void whatHandlesErrorsIsLoadedWhenAStoreIsOpenBecauseThereMayBeNoMemoryForItLater() throws IOException {
        Path loaded = folder.resolve("loaded.txt");
        String option = "-Xlog:class+load:file=" + loaded;
        try (ChildJvm program = ChildJvm.startWithOption(option, HaltingProgram.class, folder.resolve("store.db"))) {
            assertThat(program.await("opened")).endsWith("store.db");
        }
        assertThat(Files.readString(loaded))
                .contains(
                        SafeLog.class.getName() + " ",
                        Completions.class.getName() + " ",
                        "dev.ttlstore.engine.ExpiryRule ", // first used by an update
                        "dev.ttlstore.sqlite.SqliteErrors$1 ", // and by a failure
                        "java.lang.runtime.ObjectMethods "); // and by what compares records, as each write does
    }

    @Test
    @Tag("slow")
    void theStoreGoesOnWhenThereIsMemoryAgainAndNothingAcknowledgedIsMissing() throws IOException {
        try (ChildJvm program =
                ChildJvm.startWithOption("-Xmx48m", OutOfMemoryProgram.class, folder.resolve("store.db"))) {
            assertThat(program.await("errors")).matches("[1-9][0-9]*");
            assertThat(program.await("full")).matches("[1-9][0-9]*");
            assertThat(program.await("unfinished")).isEqualTo("0");
            assertThat(program.await("unhandled")).isEqualTo("0");
            assertThat(program.await("missing")).isEqualTo("0");
        }
    }
}
