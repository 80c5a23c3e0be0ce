package dev.ttlstore.sample.secrets;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SampleTest
class ReceiverTests {

    @LocalServerPort
    private int port;

    private Visitor visitor = new Visitor(0);

    @BeforeEach
    void open() {
        visitor = Visitor.open(port);
    }

    private String kept(String ttl) {
        String location = new SampleClient(port).kept("acme", "hunter2", ttl);
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private Answer reveal(String team, String key) {
        return visitor.post("/page/reveal", Map.of("team", team, "key", key));
    }

    @Test
    void theReceiverSeesThatASecretWaitsAndRevealsItOnce() {
        String key = kept("PT1H");
        Map<String, String> link = Map.of("team", "acme", "key", key);
        assertThat(visitor.post("/page/look", link).body().propertyNames())
                .containsExactlyInAnyOrder("expiresAt", "views", "needsPassphrase", "sealed");
        assertThat(visitor.post("/page/look", link).status()).isEqualTo(200);
        assertThat(reveal("acme", key).body().get("value").asString()).isEqualTo("hunter2");
        assertThat(reveal("acme", key).status()).isEqualTo(404);
        assertThat(visitor.post("/page/look", link).status()).isEqualTo(404);
    }

    @Test
    void usedExpiredNeverWasAndCannotBeAreToldAlike() {
        String used = kept("PT1H");
        reveal("acme", used);
        String expired = kept("PT0.05S");
        String waiting = kept("PT1H");
        await().until(() -> reveal("acme", expired).status() == 404);
        List<Answer> answers = List.of(
                reveal("acme", used),
                reveal("acme", expired),
                reveal("acme", "A".repeat(24)),
                reveal("acme", "short"),
                reveal("acme", "x".repeat(5_000)),
                reveal("globex", waiting),
                reveal("no:team", waiting),
                visitor.post("/page/reveal", Map.of()));
        assertThat(answers).extracting(Answer::status).containsOnly(404);
        assertThat(answers)
                .extracting(answer -> answer.response().body())
                .containsOnly(answers.get(0).response().body());
        assertThat(reveal("acme", waiting).status()).isEqualTo(200);
    }

    @Test
    void linkPreviewsBurnNothingAndAreToldNothing() {
        String key = kept("PT1H");
        String page = visitor.load("/reveal").response().body();
        Answer head = visitor.answer(visitor.request("/reveal").method("HEAD", BodyPublishers.noBody()));
        Answer api = visitor.load("/api/teams/acme/secrets/" + key + "/reveal");
        assertThat(head.status()).isEqualTo(200);
        assertThat(api.status()).isEqualTo(405);
        assertThat(page).doesNotContain(key).doesNotContain("hunter2");
        assertThat(reveal("acme", key).status()).isEqualTo(200);
    }
}
