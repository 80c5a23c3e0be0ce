package dev.ttlstore.sample.secrets;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.ttlstore.Store;
import dev.ttlstore.sample.EmptySample;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"store.purge.enabled=false", "store.expiry.on-time=false"})
@ExtendWith(OutputCaptureExtension.class)
@DirtiesContext // the folder goes when the class is done, so the store has to be closed by then
class SecretsApiTests {

    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("store.path", () -> folder.resolve("store.db").toString());
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class MovableTime {

        @Bean
        MovableClock clock() {
            return new MovableClock();
        }
    }

    static final class MovableClock implements InstantSource {

        private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        synchronized void advance(Duration step) {
            now = now.plus(step);
        }
    }

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    @Autowired
    private MovableClock clock;

    private SampleClient client = new SampleClient(0);

    @BeforeEach
    void connect() {
        client = new SampleClient(port);
        EmptySample.empty(store);
    }

    private static SecretRows rows() {
        return new SecretRows(folder.resolve("store.db"));
    }

    @Test
    void aSecretIsKeptUnderAKeyThatNobodyGuesses() {
        Answer kept = client.keep("acme", "hunter2", "PT10M");
        assertThat(kept.status()).isEqualTo(201);
        String key = kept.body().get("key").asString();
        assertThat(key).matches("[A-Za-z0-9_-]{24}");
        assertThat(kept.header("Location")).isEqualTo("/api/teams/acme/secrets/" + key);
        assertThat(Instant.parse(kept.body().get("expiresAt").asString()))
                .isEqualTo(clock.instant().plusSeconds(600));
        assertThat(kept.response().body()).doesNotContain("hunter2");
    }

    @Test
    void aTeamIsToldOfASecretThatExpiredUnreadAndNotOfOneThatWasRead() {
        String unread = client.kept("acme", "hunter2", "PT10M");
        String read = client.kept("acme", "hunter3", "PT10M");
        assertThat(client.reveal(read).status()).isEqualTo(200);
        Instant end = clock.instant().plusSeconds(600);
        clock.advance(Duration.ofMinutes(10));
        store.purgeExpired();
        Awaitility.await()
                .until(() -> client.get("/api/teams/acme/activity").body().size() > 0);
        Answer activity = client.get("/api/teams/acme/activity");
        assertThat(activity.body()).hasSize(1);
        assertThat(activity.body().get(0).get("what").asString()).isEqualTo("A secret expired unread");
        assertThat(Instant.parse(activity.body().get(0).get("at").asString())).isEqualTo(end);
        assertThat(activity.response().body())
                .doesNotContain("hunter")
                .doesNotContain(unread.substring(unread.lastIndexOf('/') + 1));
        assertThat(client.get("/api/teams/another/activity").body()).isEmpty();
        assertThat(client.get("/api/teams/not a team/activity".replace(" ", "%20"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aTeamIsToldOfHowManyViewsASecretHadBeforeItExpired() {
        String body = "{\"value\": \"hunter2\", \"ttl\": \"PT10M\", \"views\": 3}";
        String location = client.post("/api/teams/acme/secrets", body).header("Location");
        client.reveal(location);
        client.reveal(location);
        clock.advance(Duration.ofMinutes(10));
        store.purgeExpired();
        Awaitility.await()
                .until(() -> client.get("/api/teams/acme/activity").body().size() > 0);
        assertThat(client.get("/api/teams/acme/activity").body().at("/0/what").asString())
                .isEqualTo("A secret expired after 2 of 3 views");
        assertThat(store.groups("viewed/")).isEmpty();
    }

    @Test
    void howOftenASecretWasReadIsForgottenWithIt() {
        String body = "{\"value\": \"hunter2\", \"ttl\": \"PT10M\", \"views\": 2}";
        String location = client.post("/api/teams/acme/secrets", body).header("Location");
        client.reveal(location);
        assertThat(store.groups("viewed/")).containsExactly("viewed/acme");
        client.reveal(location);
        assertThat(store.groups("viewed/")).isEmpty();
    }

    /** An earlier version of the sample has stored the text alone. */
    @ParameterizedTest
    @ValueSource(strings = {"hunter2", "42", "null", "\"hunter2\"", "{", "{\"user\": \"a\"}", "{\"value\": \"a\"}"})
    void aSecretOfAnEarlierVersionIsRead(String text) {
        String key = SecretKeys.make();
        store.scope("acme").group(Secrets.GROUP).put(SecretKeys.stored(key), text, Duration.ofMinutes(10));
        String location = "/api/teams/acme/secrets/" + key;
        assertThat(client.get(location).body().get("views").asInt()).isOne();
        assertThat(client.reveal(location).body().get("value").asString()).isEqualTo(text);
        assertThat(client.reveal(location).status()).isEqualTo(404);
    }

    @Test
    void lookingAtASecretTellsItsEndAndDoesNotBurnIt() {
        String location = client.kept("acme", "hunter2", "PT10M");
        for (int i = 0; i < 3; i++) {
            Answer look = client.get(location);
            assertThat(look.status()).isEqualTo(200);
            assertThat(look.body().propertyNames())
                    .containsExactlyInAnyOrder("expiresAt", "views", "needsPassphrase", "sealed");
            assertThat(look.header("Cache-Control")).isEqualTo("no-store");
        }
        assertThat(client.reveal(location).status()).isEqualTo(200);
    }

    @Test
    void aSecretIsRevealedOnce() {
        String location = client.kept("acme", "hunter2 \uD83D\uDD11", "PT10M");
        assertThat(client.reveal(location).body().get("value").asString()).isEqualTo("hunter2 \uD83D\uDD11");
        assertThat(client.reveal(location).status()).isEqualTo(404);
        assertThat(client.get(location).status()).isEqualTo(404);
    }

    @Test
    void ofTwentyCallersAtOnceOneGetsTheSecret() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(20);
        try {
            for (int round = 0; round < 10; round++) {
                String location = client.kept("acme", "hunter2", "PT10M");
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Integer>> answers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    answers.add(callers.submit(() -> {
                        start.await();
                        return client.reveal(location).status();
                    }));
                }
                start.countDown();
                List<Integer> statuses = new ArrayList<>();
                for (Future<Integer> answer : answers) {
                    statuses.add(answer.get());
                }
                assertThat(statuses).containsOnlyOnce(200);
                assertThat(statuses.stream().filter(status -> status == 404)).hasSize(19);
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void anExpiredSecretIsGoneAndItsRowLeavesTheFileWithTheNextPurge() throws Exception {
        String location = client.kept("acme", "hunter2", "PT2S");
        clock.advance(Duration.ofMillis(1_999));
        assertThat(client.get(location).status()).isEqualTo(200);
        clock.advance(Duration.ofMillis(1));
        assertThat(client.get(location).status()).isEqualTo(404);
        assertThat(client.reveal(location).status()).isEqualTo(404);
        assertThat(rows().count()).isOne();
        assertThat(store.purgeExpired()).isOne();
        assertThat(rows().count()).isZero();
    }

    @Test
    void usageCountsTheLivingSecretsOfOneTeam() {
        client.kept("acme", "one", "PT1S");
        client.kept("acme", "two", "PT10M");
        client.keepNew("192.0.2.1", "Acme");
        assertThat(client.get("/api/teams/acme/usage").body().get("secrets").asInt())
                .isEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        assertThat(client.get("/api/teams/acme/usage").body().get("secrets").asInt())
                .isOne();
        assertThat(client.get("/api/teams/nobody/usage").body().get("secrets").asInt())
                .isZero();
    }

    @Test
    void aSecretIsKnownToItsOwnTeamOnly() {
        String location = client.kept("acme", "hunter2", "PT10M");
        assertThat(client.reveal(location.replace("acme", "globex")).status()).isEqualTo(404);
        assertThat(client.reveal(location).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    acme | {"value": "v", "ttl": "soon"}                  | ttl
                    acme | {"value": "v", "ttl": "PT0S"}                  | ttl
                    acme | {"value": "v", "ttl": "-PT1S"}                 | ttl
                    acme | {"value": "v", "ttl": "P366D"}                 | ttl
                    acme | {"value": "v", "ttl": "PT9999999999999999999H"} | ttl
                    acme | {"value": "v", "ttl": 10}                      | ttl
                    acme | {"value": "v"}                                 | ttl
                    acme | {"value": "", "ttl": "PT1M"}                   | value
                    acme | {"ttl": "PT1M"}                                | value
                    acme | {"value": {"a": 1}, "ttl": "PT1M"}             | value
                    acme | {"value": true, "ttl": "PT1M"}                 | value
                    acme | {"value": 7, "ttl": "PT1M"}                    | value
                    acme | {"value": 7.5, "ttl": "PT1M"}                  | value
                    acme | {"value": "\\ud800", "ttl": "PT1M"}            | value
                    a_b  | {"value": "v", "ttl": "PT1M"}                  | team
                    a:b  | {"value": "v", "ttl": "PT1M"}                  | team
                    %25  | {"value": "v", "ttl": "PT1M"}                  | team
                    """)
    void aFieldThatIsNotAsItShouldBeIsNamedAndNothingIsStored(String team, String body, String field) throws Exception {
        Answer answer = client.post("/api/teams/" + team + "/secrets", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body().get("errors").get(0).get("field").asString()).isEqualTo(field);
        assertThat(answer.body().get("errors").get(0).get("reason").asString()).isNotBlank();
        assertThat(rows().count()).isZero();
    }

    @Test
    void aValueThatIsTooLargeIsRefused() throws Exception {
        Answer answer = client.keep("acme", "x".repeat(65_537), "PT1M");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().get("errors").get(0).get("field").asString()).isEqualTo("value");
        assertThat(rows().count()).isZero();
        assertThat(client.keep("acme", "x".repeat(65_536), "PT1M").status()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /api/teams/acme/secrets/short
                    /api/teams/acme/secrets/AAAAAAAAAAAAAAAAAAAAAAAA
                    /api/teams/acme/secrets/%20AAAAAAAAAAAAAAAAAAAAAAA
                    """)
    void whatIsNoKeyIsNotFound(String path) {
        Answer look = client.get(path);
        assertThat(look.status()).isEqualTo(404);
        assertThat(look.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(client.reveal(path).status()).isEqualTo(404);
    }

    @Test
    void valuesNeverAppearInALogOrAnError(CapturedOutput output) {
        String location = client.kept("acme", "marker-value", "PT1M");
        List<Answer> errors = List.of(
                client.keep("acme", "marker-value", "soon"),
                client.post("/api/teams/acme/secrets", "marker-value"),
                client.post("/api/teams/acme/secrets", "{\"value\": [\"marker-value\"], \"ttl\": \"PT1M\"}"),
                client.post("/api/teams/acme/secrets", "{\"marker-value\": 1, \"ttl\": {}}"),
                client.keep("acme", "marker-value".repeat(10_000), "PT1M"));
        assertThat(client.reveal(location).status()).isEqualTo(200);
        assertThat(errors).allSatisfy(error -> {
            assertThat(error.status()).isEqualTo(400);
            assertThat(error.response().body()).doesNotContain("marker-value");
        });
        assertThat(output).doesNotContain("marker-value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/xml", "garbage"})
    void noAcceptHeaderBurnsASecretUnseen(String accept) {
        String location = client.kept("acme", "hunter2", "PT10M");
        Answer revealed = client.post(location + "/reveal", "", "Accept", accept);
        assertThat(revealed.status()).isEqualTo(200);
        assertThat(revealed.body().get("value").asString()).isEqualTo("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "*/*", "application/x-www-form-urlencoded", "text/plain"})
    void aBodyOfAnotherKindIsRefusedAsAProblem(String contentType) throws Exception {
        Answer answer = client.post("/api/teams/acme/secrets", "value=v", "Content-Type", contentType);
        assertThat(answer.status()).isBetween(400, 415);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(rows().count()).isZero();
    }

    /** Else who has a copy of the store could ask the application for what is encrypted in it. */
    @Test
    void theKeyOfALinkIsNotInTheStore() throws Exception {
        Answer created =
                Visitor.open(port).post("/page/secrets", Map.of("team", "acme", "value", "hunter2", "ttl", "PT10M"));
        String key = created.body().get("key").asString();
        store.groups()
                .forEach(group -> assertThat(store.group(group, byte[].class).entries())
                        .allSatisfy(entry -> {
                            assertThat(entry.key()).doesNotContain(key);
                            assertThat(new String(entry.value(), StandardCharsets.UTF_8))
                                    .doesNotContain(key);
                        }));
        assertThat(client.reveal("/api/teams/acme/secrets/"
                                + created.body().get("id").asString())
                        .status())
                .isEqualTo(404);
        assertThat(client.reveal("/api/teams/acme/secrets/" + key).status()).isEqualTo(200);
    }

    @Test
    void aSecretThatIsExtendedIsSealedAnew() throws Exception {
        Visitor visitor = Visitor.open(port);
        Answer created = visitor.post("/page/secrets", Map.of("team", "acme", "value", "hunter2", "ttl", "PT10M"));
        byte[] sealed = rows().value();
        String id = created.body().get("id").asString();
        assertThat(visitor.post("/page/extend", Map.of("team", "acme", "id", id, "by", "PT10M"))
                        .status())
                .isEqualTo(200);
        assertThat(rows().value()).hasSameSizeAs(sealed).isNotEqualTo(sealed);
        clock.advance(Duration.ofMinutes(15));
        assertThat(client.reveal("/api/teams/acme/secrets/"
                                + created.body().get("key").asString())
                        .body()
                        .get("value")
                        .asString())
                .isEqualTo("hunter2");
    }

    @Test
    void aValueThatWasMovedDoesNotOpenAndIsToldWithoutATrace(CapturedOutput output) throws Exception {
        client.kept("acme", "hunter2", "PT10M");
        String key = "B".repeat(24);
        String stored = SecretKeys.stored(key);
        rows().rename(stored);
        String location = "/api/teams/acme/secrets/" + key;
        for (Answer refused : List.of(client.get(location), client.reveal(location), client.reveal(location))) {
            assertThat(refused.status()).isEqualTo(500);
            assertThat(refused.body().get("detail").asString()).contains("cannot decrypt it", "still unread");
        }
        assertThat(output.getErr() + output.getOut())
                .contains("acme:secrets", "A requested secret cannot be decrypted")
                .doesNotContain("\tat ", key, "hunter2");
        clock.advance(Duration.ofMinutes(10));
        store.purgeExpired();
        Awaitility.await()
                .until(() -> client.get("/api/teams/acme/activity").body().size() == 1);
    }

    @Test
    void healthTellsOfTheStore() {
        Answer health = client.get("/actuator/health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.body().at("/components/store/status").asString()).isEqualTo("UP");
    }
}
