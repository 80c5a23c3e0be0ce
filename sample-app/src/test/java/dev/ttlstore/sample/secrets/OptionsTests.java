package dev.ttlstore.sample.secrets;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What a sender may ask for: a passphrase, several views, and that the server never sees the text. */
@SampleTest
@ExtendWith(OutputCaptureExtension.class)
class OptionsTests {

    private static final String PATH = "/api/teams/acme/secrets";

    @Autowired
    private Store store;

    private final SampleClient client;

    OptionsTests(SampleClient client) {
        this.client = client;
    }

    private String kept(Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(Map.of("value", "hunter2", "ttl", "PT1H"));
        body.putAll(more);
        Answer kept = client.post(PATH, JsonMapper.shared().writeValueAsString(body));
        assertThat(kept.status()).isEqualTo(201);
        return kept.header("Location");
    }

    private Answer open(String location, String passphrase) {
        return client.post(
                location + "/reveal", JsonMapper.shared().writeValueAsString(Map.of("passphrase", passphrase)));
    }

    @Test
    void aWrongPassphraseDoesNotUseUpTheSecret(CapturedOutput output) {
        String location = kept(Map.of("passphrase", "swordfish \u2713 MARKER"));
        assertThat(client.get(location).body().get("needsPassphrase").asBoolean())
                .isTrue();
        for (Answer refused : List.of(client.reveal(location), open(location, ""), open(location, "MARKER?"))) {
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.body().get("detail").asString()).contains("still unread");
        }
        assertThat(open(location, "swordfish \u2713 MARKER").body().get("value").asString())
                .isEqualTo("hunter2");
        assertThat(open(location, "swordfish \u2713 MARKER").status()).isEqualTo(404);
        assertThat(store.groups("wrong-passphrases")).isEmpty(); // it is forgotten with the secret
        assertThat(output).doesNotContain("MARKER");
    }

    @Test
    void guessesAreLimitedPerSecret() {
        String location = kept(Map.of("passphrase", "swordfish"));
        for (int i = 0; i < 5; i++) {
            assertThat(open(location, "wrong").status()).isEqualTo(422);
        }
        Answer refused = open(location, "swordfish");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(1L, 60L);
        assertThat(open(kept(Map.of("passphrase", "other")), "other").status()).isEqualTo(200);
        store.deleteGroup("passphrase-guesses");
        assertThat(open(location, "swordfish").status()).isEqualTo(200);
    }

    @Test
    void afterTwentyWrongPassphrasesASecretIsDeletedAndItsTeamIsTold() {
        String location = kept(Map.of("passphrase", "swordfish", "views", 2));
        assertThat(open(location, "swordfish").status()).isEqualTo(200); // which does not start again
        for (int i = 1; i <= 20; i++) {
            store.deleteGroup("passphrase-guesses"); // a minute later
            Answer refused = open(location, "wrong" + i);
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.body().get("detail").asString())
                    .contains(i < 20 ? "still unread" : "the secret was deleted")
                    .matches(
                            i < 17 || i == 20
                                    ? "(?!.*After).*"
                                    : ".*After " + (20 - i) + " more wrong ones? it is deleted.");
        }
        assertThat(open(location, "swordfish").status()).isEqualTo(404);
        assertThat(store.groups("acme:")).isEmpty();
        assertThat(store.groups("wrong-passphrases")).isEmpty();
        assertThat(client.get("/api/teams/acme/activity").body().at("/0/what").asString())
                .isEqualTo("A secret was deleted after too many wrong passphrases");
    }

    @Test
    void wrongPassphrasesThatWereUsedUpBeforeACrashDeleteItToo() {
        String location = kept(Map.of("passphrase", "swordfish"));
        store.counters("wrong-passphrases").put(SecretKeys.stored(location.replaceAll(".*/", "")), 20L);
        assertThat(open(location, "swordfish").status()).isEqualTo(422);
        assertThat(client.get(location).status()).isEqualTo(404);
    }

    @Test
    void aSecretIsRevealedAsOftenAsItsSenderAllows() throws Exception {
        String location = kept(Map.of("views", 3));
        assertThat(client.reveal(location).body().get("views").asInt()).isEqualTo(2);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> reveals = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                reveals.add(() -> client.reveal(location).status());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> reveal : callers.invokeAll(reveals)) {
                statuses.add(reveal.get());
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 200, 404, 404, 404, 404, 404, 404);
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void aSecretThatHasMoreViewsStaysInItsSendersListAndKeepsItsExpiry(Visitor visitor) {
        Map<String, String> acme = Map.of("team", "acme");
        Answer created = visitor.submit(
                "/page/secrets", Map.of("team", "acme", "value", "hunter2", "ttl", "PT1H", "views", "2"));
        assertThat(created.status()).isEqualTo(200);
        String link = created.response().body().replaceAll("(?s).*(acme/[\\w-]{24}).*", "$1");
        String location = "/api/teams/acme/secrets/" + link.substring(5);
        String end = client.get(location).body().get("expiresAt").asString();
        assertThat(visitor.submit("/page/reveal", Map.of("link", link))
                        .response()
                        .body())
                .contains("hunter2", "Views left: 1.");
        assertThat(client.get(location).body().get("expiresAt").asString()).isEqualTo(end);
        assertThat(visitor.post("/page/sent", acme).body().get("secrets")).hasSize(1);
        assertThat(visitor.submit("/page/reveal", Map.of("link", link))
                        .response()
                        .body())
                .contains("hunter2", "gone from the server");
        assertThat(visitor.post("/page/sent", acme).body().get("secrets")).isEmpty();
    }

    @Test
    void whatASendersBrowserHasEncryptedIsNotUsedUpByAFormThatCannotReadIt(Visitor visitor) {
        String location = kept(Map.of("value", "c2VhbGVk", "sealed", true));
        assertThat(client.get(location).body().get("sealed").asBoolean()).isTrue();
        String link = location.replaceAll(".*/", "acme/") + "/" + "A".repeat(48);
        Answer page = visitor.submit("/page/reveal", Map.of("link", link));
        assertThat(page.response().body()).contains("encrypted in its sender", "still unread");
        assertThat(client.reveal(location).body().get("value").asString()).isEqualTo("c2VhbGVk");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"value": "v", "ttl": "PT1M", "views": 0}              | views
            {"value": "v", "ttl": "PT1M", "views": 21}             | views
            {"value": "v", "ttl": "PT1M", "views": "many"}         | views
            {"value": "v", "ttl": "PT1M", "sealed": "perhaps"}     | sealed
            {"value": "not base64url!", "ttl": "PT1M", "sealed": true} | value
            {"value": "v", "ttl": "PT1M", "passphrase": true}      | passphrase
            {"value": "v", "ttl": "PT1M", "passphrase": "\\ud800"} | passphrase
            {"value": "v", "ttl": "PT1M", "views": 1.9}            | views
            {"value": "v", "ttl": "PT1M", "views": "3"}            | views
            {"value": "v", "ttl": "PT1M", "views": ""}             | views
            {"value": "v", "ttl": "PT1M", "sealed": 1}             | sealed
            {"value": "v", "ttl": "PT1M", "sealed": "true"}        | sealed
            {"value": "v", "ttl": "PT1M", "newTeam": "true"}       | newTeam
            """)
    void anOptionThatIsNotAsItShouldBeIsNamed(String body, String field) {
        Answer answer = client.post(PATH, body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(client.post(
                                PATH,
                                "{\"value\": \"v\", \"ttl\": \"PT1M\", \"passphrase\": \"" + "x".repeat(201) + "\"}")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("passphrase");
    }

    @Test
    void aMisspeltFieldIsRefusedWithTheNamesOfAll() {
        Answer answer = client.post(PATH, "{\"value\": \"v\", \"ttl\": \"PT1M\", \"passPhrase\": \"x\"}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("detail").asString()).contains("newTeam, passphrase, sealed, ttl, value, views");
    }
}
