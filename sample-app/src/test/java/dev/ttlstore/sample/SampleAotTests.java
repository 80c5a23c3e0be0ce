package dev.ttlstore.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The sample does the same when it starts from the context that the build has processed ahead of time. */
@Tag("slow")
class SampleAotTests {

    @TempDir
    private Path folder;

    @Test
    void theSampleStartsFromItsAotProcessedContextAndDoesItsWork() throws Exception {
        Path store = folder.resolve("store.db");
        // The build has left the purge on. That it can still be turned off shows here, and that nothing waits for it.
        try (SampleProcess sample = SampleProcess.startAheadOfTime(
                store,
                "--store.purge-interval=-",
                "--store.scopes.late.quota.max-keys=1",
                "--spring.security.user.name=admin",
                "--spring.security.user.password=pass")) {
            SampleClient client = sample.client();
            assertThat(sample.output()).contains("Starting AOT-processed SampleApplication");
            assertASecretIsRevealedOnce(client);
            assertHealthIsThatOf(store, client);
            assertThat(client.get("/teams/acme").response().body()).contains("A secret was read", "0 of 1000 secrets");
            assertAnExpiryIsTold(client);
            assertATeamThatTheBuildDidNotKnowIsKnown(client);
        }
    }

    private static void assertATeamThatTheBuildDidNotKnowIsKnown(SampleClient client) {
        client.kept("late", "hunter2", "PT10M");
        assertThat(client.keep("late", "hunter2", "PT10M")
                        .body()
                        .get("maxSecrets")
                        .asInt())
                .isOne();
    }

    private static void assertASecretIsRevealedOnce(SampleClient client) {
        String location = client.kept("acme", "hunter2", "PT10M");
        assertThat(client.reveal(location).body().get("value").asString()).isEqualTo("hunter2");
        assertThat(client.reveal(location).status()).isEqualTo(404);
    }

    private static void assertHealthIsThatOf(Path store, SampleClient client) {
        JsonNode health = client.get("/actuator/health", "admin", "pass").body().at("/components/store");
        assertThat(health.get("status").asString()).isEqualTo("UP");
        assertThat(health.at("/details/path").asString()).isEqualTo(store.toString());
    }

    private static void assertAnExpiryIsTold(SampleClient client) {
        client.kept("acme", "hunter3", "PT0.1S");
        await().untilAsserted(() -> assertThat(
                        client.get("/api/teams/acme/activity").body())
                .hasSize(1)
                .allSatisfy(told -> assertThat(told.get("what").asString()).isEqualTo("A secret expired unread")));
    }
}
