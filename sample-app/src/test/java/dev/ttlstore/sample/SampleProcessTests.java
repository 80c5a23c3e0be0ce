package dev.ttlstore.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds across processes: a killed one loses nothing, and two do not share a file. */
class SampleProcessTests {

    @TempDir
    private Path folder;

    @Test
    void aSecretSurvivesAKilledProcess() throws Exception {
        Path store = folder.resolve("store.db");
        String location;
        try (SampleProcess first = SampleProcess.start(store)) {
            location = first.client().kept("acme", "hunter2", "PT10M");
            first.kill();
        }
        try (SampleProcess second = SampleProcess.start(store)) {
            SampleClient client = second.client();
            assertThat(client.get(location).status()).isEqualTo(200);
            assertThat(client.reveal(location).body().get("value").asString()).isEqualTo("hunter2");
        }
    }

    @Test
    void aSecondCopyOnTheSameFileStopsAndSaysWhy() throws Exception {
        Path store = folder.resolve("store.db");
        try (SampleProcess first = SampleProcess.start(store)) {
            SampleClient client = first.client();
            try (SampleProcess second = SampleProcess.start(store)) {
                assertThat(second.waitFor()).isNotZero();
                assertThat(second.output())
                        .contains("APPLICATION FAILED TO START")
                        .contains(store.toString())
                        .contains("process " + first.pid())
                        .contains("'store.path'");
            }
            assertThat(client.get("/actuator/health").status()).isEqualTo(200);
        }
    }
}
