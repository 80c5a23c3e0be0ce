package dev.ttlstore.sample.web;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleProcess;
import dev.ttlstore.sample.SlowClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Clients that send their bodies slowly occupy some threads of the server, and not all. */
@Timeout(120)
@Tag("slow")
class SlowBodyTests {

    private static final int CLIENTS = 210;

    /** How long an answer may take on a busy machine. If all threads were occupied, there would be none at all. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    @Test
    void theOthersAreAnswered() throws Exception {
        try (SampleProcess sample =
                SampleProcess.startAheadOfTime(folder.resolve("store.db"), "--secrets.upload-timeout=2s")) {
            assertOthersAreAnswered(sample, "/api/teams/acme/secrets", "application/json"); // read as JSON
            assertOthersAreAnswered(sample, "/login", "application/x-www-form-urlencoded"); // read for its parameters
            assertOthersAreAnswered(sample, "/%2e%2e", "application/json"); // refused before its body is read
        }
    }

    private static void assertOthersAreAnswered(SampleProcess sample, String target, String type) throws Exception {
        ScheduledExecutorService attacker = Executors.newSingleThreadScheduledExecutor();
        List<SlowClient> slow = new ArrayList<>();
        try {
            int port = sample.awaitPort();
            SampleClient client = sample.client();
            for (int i = 0; i < CLIENTS; i++) {
                slow.add(SlowClient.begin(port, target, type));
            }
            ScheduledFuture<?> dripping = SlowClient.drip(attacker, slow);
            // Longer than a body may take.
            long start = System.nanoTime();
            while (System.nanoTime() - start < Duration.ofSeconds(4).toNanos()) {
                long asked = System.nanoTime();
                assertThat(client.get("/api/teams/acme/usage").status()).isEqualTo(200);
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(PATIENCE);
            }
            assertThat(dripping.cancel(false)).isTrue(); // it has not failed
            // Others can create secrets as soon as the slow ones have had their time.
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> client.keep("acme", "hunter2", "PT10M").status() == 201);
            assertThat(sample.output()).doesNotContain("ERROR");
        } finally {
            attacker.shutdownNow();
            for (SlowClient client : slow) {
                client.close();
            }
        }
    }

    /** Some are refused at once, and the others when they have had their time. */
    @Test
    void aSlowBodyIsEnded() throws Exception {
        ScheduledExecutorService attacker = Executors.newSingleThreadScheduledExecutor();
        List<SlowClient> slow = new ArrayList<>();
        try (SampleProcess sample =
                SampleProcess.startAheadOfTime(folder.resolve("store.db"), "--secrets.upload-timeout=2s")) {
            int port = sample.awaitPort();
            for (int i = 0; i < 60; i++) {
                slow.add(SlowClient.begin(port, "/api/teams/acme/secrets", "application/json"));
            }
            ScheduledFuture<?> dripping = SlowClient.drip(attacker, slow);
            Map<String, Integer> answers = new HashMap<>();
            for (SlowClient client : slow) {
                answers.merge(client.status(), 1, Integer::sum);
            }
            assertThat(answers.get("408")).isEqualTo(50);
            assertThat(answers).containsEntry("503", 10);
            assertThat(dripping.isDone()).isFalse();
        } finally {
            attacker.shutdownNow();
            for (SlowClient client : slow) {
                client.close();
            }
        }
    }
}
