package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class SenderTests {

    private static final Map<String, String> ACME = Map.of("team", "acme");

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    private Visitor visitor = new Visitor(0);

    @BeforeEach
    void open() {
        visitor = Visitor.open(port);
    }

    private static JsonNode create(Visitor visitor) {
        Answer created = visitor.post("/page/secrets", Map.of("team", "acme", "value", "hunter2", "ttl", "PT1H"));
        assertThat(created.status()).isEqualTo(201);
        return created.body();
    }

    private static Map<String, String> own(JsonNode created) {
        return Map.of("team", "acme", "id", created.get("id").asString());
    }

    private static JsonNode sent(Visitor visitor) {
        return visitor.post("/page/sent", ACME).body().get("secrets");
    }

    private Answer reveal(JsonNode created) {
        return visitor.post(
                "/page/reveal", Map.of("team", "acme", "key", created.get("key").asString()));
    }

    @Test
    void aSenderIsKnownByACookieThatScriptsAndOtherSitesDoNotGet() {
        Answer answer = visitor.post("/page/secrets", Map.of("team", "acme", "value", "hunter2", "ttl", "PT1H"));
        assertThat(answer.header("Set-Cookie"))
                .matches("sender=[0-9a-f]{32};.*")
                .contains("HttpOnly", "SameSite=Strict", "Path=/page", "Max-Age=2592000");
    }

    /** An answer that is late would replace the cookie of a secret that was created meanwhile. */
    @Test
    void onlyCreatingASecretSetsTheCookie() {
        assertThat(visitor.post("/page/sent", ACME).header("Set-Cookie")).isEmpty();
        Answer refused = visitor.post("/page/secrets", Map.of("team", "acmee", "value", "hunter2", "ttl", "PT1H"));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Set-Cookie")).isEmpty();
        JsonNode created = create(visitor);
        assertThat(visitor.post("/page/sent", ACME).header("Set-Cookie")).isEmpty();
        assertThat(visitor.post("/page/delete", own(created)).header("Set-Cookie"))
                .isEmpty();
    }

    @Test
    void aSenderSeesItsUnreadSecretsWithoutTheirKeys() {
        JsonNode created = create(visitor);
        JsonNode sent = sent(visitor);
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).get("id").asString()).isEqualTo(created.get("id").asString());
        assertThat(sent.get(0).get("expiresAt").asString())
                .isEqualTo(created.get("expiresAt").asString());
        assertThat(sent.toString()).doesNotContain(created.get("key").asString());
        assertThat(sent(Visitor.open(port))).isEmpty();
    }

    @Test
    void ofMoreThanAreShownASenderIsToldThatThereAreMore() {
        for (int i = 0; i < SentSecrets.SHOWN; i++) {
            create(visitor);
        }
        Answer all = visitor.post("/page/sent", ACME);
        assertThat(all.body().get("more").asBoolean()).isFalse();
        String newest = create(visitor).get("id").asString();
        Answer notAll = visitor.post("/page/sent", ACME);
        assertThat(notAll.body().get("more").asBoolean()).isTrue();
        assertThat(notAll.body().get("secrets")).hasSize(SentSecrets.SHOWN);
        assertThat(notAll.body().get("secrets").get(0).get("id").asString()).isEqualTo(newest);
    }

    @Test
    void whatWasReadIsNoLongerAmongThem() {
        JsonNode created = create(visitor);
        assertThat(reveal(created).body().get("value").asString()).isEqualTo("hunter2");
        assertThat(sent(visitor)).isEmpty();
        assertThat(store.groups()).noneMatch(group -> group.startsWith("sent"));
    }

    @Test
    void aSenderExtendsASecret() {
        JsonNode created = create(visitor);
        Answer extended = visitor.post(
                "/page/extend", Map.of("team", "acme", "id", created.get("id").asString(), "by", "P1D"));
        Instant end = Instant.parse(extended.body().get("expiresAt").asString());
        assertThat(end)
                .isEqualTo(Instant.parse(created.get("expiresAt").asString()).plus(Duration.ofDays(1)));
        assertThat(sent(visitor).get(0).get("expiresAt").asString()).isEqualTo(end.toString());
        Answer look = visitor.post(
                "/page/look", Map.of("team", "acme", "key", created.get("key").asString()));
        assertThat(look.body().get("expiresAt").asString()).isEqualTo(end.toString());
    }

    @Test
    void aSecretIsNotExtendedForGood() {
        JsonNode created = create(visitor);
        Map<String, String> longer =
                Map.of("team", "acme", "id", created.get("id").asString(), "by", "P365D");
        assertThat(visitor.post("/page/extend", longer)
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("by");
    }

    @Test
    void aSenderTakesASecretBack() {
        JsonNode created = create(visitor);
        assertThat(visitor.post("/page/delete", own(created)).status()).isEqualTo(204);
        assertThat(sent(visitor)).isEmpty();
        assertThat(reveal(created).status()).isEqualTo(404);
        assertThat(visitor.post("/page/delete", own(created)).status()).isEqualTo(404);
    }

    @Test
    void nobodyElseDoesAnyOfThat() {
        JsonNode created = create(visitor);
        Visitor stranger = Visitor.open(port);
        create(stranger);
        Map<String, String> longer =
                Map.of("team", "acme", "id", created.get("id").asString(), "by", "P1D");
        assertThat(stranger.post("/page/extend", longer).status()).isEqualTo(404);
        assertThat(stranger.post("/page/delete", own(created)).status()).isEqualTo(404);
        assertThat(sent(visitor).get(0).get("expiresAt").asString())
                .isEqualTo(created.get("expiresAt").asString());
        assertThat(reveal(created).status()).isEqualTo(200);
    }

    @Test
    void whatASenderGetsWrongIsNamed() {
        Answer answer = visitor.post("/page/secrets", Map.of("team", "a b", "value", "", "ttl", "soon"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("errors")).hasSize(3);
    }
}
