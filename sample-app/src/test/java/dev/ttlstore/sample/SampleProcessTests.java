package dev.ttlstore.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.spring.encryption.StoreKeyset;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds across processes: a killed one loses nothing, and two do not share a file. */
class SampleProcessTests {

    @TempDir
    private Path folder;

    @Tag("crash")
    @Test
    void aSecretSurvivesAKilledProcess() throws Exception {
        Path store = folder.resolve("store.db");
        String location;
        try (SampleProcess first = SampleProcess.start(store)) {
            location = first.client().kept("acme", "hunter2", "PT10M");
            first.kill();
        }
        assertNothingIsPlain("hunter2");
        StoreKeyset.rotate(folder.resolve("store.db-keyset.json"));
        // Here, because another process takes seconds to start.
        try (ConfigurableApplicationContext second = new SpringApplicationBuilder(SampleApplication.class)
                .run("--server.port=0", "--server.address=127.0.0.1", "--store.path=" + store)) {
            SampleClient client = new SampleClient(Nodes.port(second));
            assertThat(client.get(location).status()).isEqualTo(200);
            assertThat(client.reveal(location).body().get("value").asString()).isEqualTo("hunter2");
        }
    }

    private void assertNothingIsPlain(String value) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.toList())
                    .extracting(file -> file.getFileName().toString())
                    .contains("store.db", "store.db-wal", "store.db-keyset.json");
        }
        for (String name : List.of("store.db", "store.db-wal")) {
            assertThat(Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1))
                    .doesNotContain(value);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("store.db-keyset.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    @Tag("slow")
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
