package dev.ttlstore.sample.web;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;
import dev.ttlstore.sample.team.Activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SampleTest
class LimitTests {

    @Autowired
    private Store store;

    @Autowired
    private Activity activity;

    private final SampleClient client;
    private final Visitor visitor;

    LimitTests(SampleClient client, Visitor visitor) {
        this.client = client;
        this.visitor = visitor;
    }

    private List<Activity.Kind> told(String team) {
        return activity.last(team).stream().map(Activity.Happening::kind).toList();
    }

    @Test
    void beyondItsQuotaATeamIsToldTheLimitAndWhenRoomComes() {
        Answer next = client.keep("small", "hunter2", "PT10M");
        for (int i = 0; i < 4; i++) {
            assertThat(client.keep("small", "hunter2", "PT1H").status()).isEqualTo(201);
        }
        Map<String, String> one = Map.of("team", "small", "value", "hunter2", "ttl", "PT1H");
        for (Answer refused : List.of(client.keep("small", "hunter2", "PT1H"), visitor.post("/page/secrets", one))) {
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(590L, 600L);
            assertThat(refused.body().get("maxSecrets").asLong()).isEqualTo(5);
            assertThat(refused.body().get("roomAt").asString())
                    .isEqualTo(next.body().get("expiresAt").asString());
            assertThat(refused.body().get("detail").asString())
                    .contains("5 unread secrets")
                    .doesNotContain(next.body().get("key").asString());
        }
        assertThat(client.reveal(next.header("Location")).status()).isEqualTo(200);
        assertThat(client.keep("small", "hunter2", "PT1H").status()).isEqualTo(201);
    }

    @Test
    void whatIsLargerThanTheWholeQuotaIsNotPutOff() {
        Answer refused = client.keep("small", "x".repeat(2_000), "PT1H");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEmpty();
        assertThat(refused.body().get("detail").asString()).contains("1 KB");
    }

    @Test
    void aTeamIsToldOnceEachTimeThatItsQuotaIsNearlyReached() {
        String first = client.kept("small", "hunter2", "PT1H");
        client.kept("small", "hunter2", "PT1H");
        client.kept("small", "hunter2", "PT1H");
        assertThat(told("small")).doesNotContain(Activity.Kind.NEARLY_FULL);
        client.kept("small", "hunter2", "PT1H");
        client.kept("small", "hunter2", "PT1H");
        assertThat(told("small")).containsOnlyOnce(Activity.Kind.NEARLY_FULL);
        client.reveal(first);
        String fourth = client.kept("small", "hunter2", "PT0.2S");
        assertThat(told("small")).containsOnlyOnce(Activity.Kind.NEARLY_FULL);
        await().until(() -> client.get(fourth).status() == 404);
        assertThat(visitor.load("/teams/small").response().body()).contains("4 of 5 secrets", "nearly reached");
    }

    @Test
    void belowAndAboveAgainIsToldAgain() {
        List<String> four = List.of(
                client.kept("small", "hunter2", "PT1H"),
                client.kept("small", "hunter2", "PT1H"),
                client.kept("small", "hunter2", "PT1H"),
                client.kept("small", "hunter2", "PT1H"));
        client.reveal(four.get(0));
        client.kept("small", "hunter2", "PT1H");
        assertThat(told("small").stream().filter(kind -> kind == Activity.Kind.NEARLY_FULL))
                .hasSize(2);
    }

    @Test
    void teamsOfNamesMadeUpHaveAQuotaAndAreNotWithoutNumber() {
        assertThat(client.keepNew("192.0.2.1", "one").status()).isEqualTo(201);
        assertThat(client.keep("one", "hunter2", "PT1H").status()).isEqualTo(201);
        assertThat(client.keep("one", "hunter2", "PT1H")
                        .body()
                        .get("maxSecrets")
                        .asLong())
                .isEqualTo(2);
        assertThat(client.keepNew("192.0.2.2", "two").status()).isEqualTo(201);
        Answer refused = client.keepNew("192.0.2.3", "another");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body().get("detail").asString()).contains("No further teams");
        assertThat(store.groups("another:")).isEmpty();
        assertThat(client.keep("acme", "hunter2", "PT1H").status()).isEqualTo(201);
    }

    @Test
    void aClientMakesUpSoManyTeamsInAnHourAndNoMore() {
        for (int i = 0; i < 3; i++) {
            assertThat(client.keepNew("192.0.2.1", "more" + i).status()).isEqualTo(i < 2 ? 201 : 429); // two at most
        }
        store.deletePrefix("activity/");
        Answer refused = client.keepNew("192.0.2.1", "another");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body().get("detail").asString()).contains("3 teams per hour");
        assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(3_000L, 3_600L);
        assertThat(client.keepNew("192.0.2.2", "another").status()).isEqualTo(201);
    }

    @Test
    void aClientAsksForSoManySecretsInAMinuteAndNoMore() {
        String location = client.kept("acme", "hunter2", "PT1H");
        for (int i = 0; i < 30; i++) {
            assertThat(client.reveal("/api/teams/acme/secrets/" + "A".repeat(24))
                            .status())
                    .isEqualTo(404);
        }
        String key = location.substring(location.lastIndexOf('/') + 1);
        List<Answer> refusals = List.of(
                client.reveal(location),
                client.get(location),
                visitor.post("/page/reveal", Map.of("team", "acme", "key", key)),
                visitor.post("/page/look", Map.of("team", "acme", "key", key)));
        assertThat(refusals).allSatisfy(refused -> {
            assertThat(refused.status()).isEqualTo(429);
            assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(1L, 60L);
            assertThat(refused.body().get("detail").asString()).contains("30");
        });
        assertThat(store.counters("reveal-attempts").keys())
                .singleElement()
                .asString()
                .matches("[0-9a-f]{32}");
        store.deleteGroup("reveal-attempts");
        assertThat(client.reveal(location).status()).isEqualTo(200);
    }

    @Test
    void aClientFailsToLogInSoManyTimesInAMinuteAndNoMore() {
        for (int i = 0; i < 20; i++) {
            assertThat(client.get("/actuator/metrics", "admin", "pass").status())
                    .isEqualTo(200);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(client.get("/actuator/metrics", "admin", "wrong").status())
                    .isEqualTo(401);
            assertThat(visitor.logIn("wrong").status()).isEqualTo(i < 2 ? 302 : 429);
        }
        assertThat(List.of(visitor.logIn("pass"), client.get("/actuator/metrics", "admin", "pass")))
                .allSatisfy(refused -> {
                    assertThat(refused.status()).isEqualTo(429);
                    assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(1L, 60L);
                });
        assertThat(client.get("/actuator/metrics", "admin", "pass", "192.0.2.7").status())
                .isEqualTo(200);
        store.deleteGroup("login-attempts");
        assertThat(visitor.logIn("pass").header("Location")).contains("/admin");
    }

    /** Whoever has an IPv6 address usually has 2 to the power of 64. */
    @Test
    void aNetworkOfIpv6AddressesIsOneClient() {
        for (int i = 0; i < 5; i++) {
            assertThat(loginFrom("2001:db8:1:2::" + i)).isEqualTo(401);
        }
        assertThat(loginFrom("2001:db8:1:2:ffff:ffff:ffff:ffff")).isEqualTo(429);
        assertThat(loginFrom("2001:db8:1:3::1")).isEqualTo(401);
        assertThat(loginFrom("192.0.2.1")).isEqualTo(401);
    }

    private int loginFrom(String address) {
        return client.get("/actuator/metrics", "admin", "wrong", address).status();
    }

    @Test
    void manyLoginsAtOnceThatAreRightLeaveNoLimitReached() throws Exception {
        ExecutorService monitors = Executors.newFixedThreadPool(20);
        try {
            List<Callable<Integer>> scrapes = Collections.nCopies(
                    60, () -> client.get("/actuator/metrics", "admin", "pass").status());
            assertThat(monitors.invokeAll(scrapes))
                    .allSatisfy(scrape -> assertThat(scrape.get()).isIn(200, 429));
        } finally {
            monitors.shutdownNow();
        }
        assertThat(client.get("/actuator/metrics", "admin", "pass").status()).isEqualTo(200);
        assertThat(store.counters("login-attempts").getAll().values()).containsOnly(0L);
    }

    @Test
    void aPasswordBesideASessionIsNoAttempt() {
        visitor.logIn("pass");
        String credentials =
                "Basic " + Base64.getEncoder().encodeToString("admin:pass".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < 10; i++) {
            assertThat(visitor.answer(visitor.request("/actuator/info")
                                    .header("Authorization", credentials)
                                    .GET())
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void whatIsNoPasswordIsNoAttempt() {
        for (int i = 0; i < 10; i++) {
            assertThat(visitor.answer(visitor.request("/actuator/health")
                                    .header("Authorization", "Bearer none")
                                    .GET())
                            .status())
                    .isEqualTo(200);
        }
        assertThat(client.get("/actuator/metrics", "admin", "pass").status()).isEqualTo(200);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedWhetherOrNotItTellsItsLength() {
        byte[] large = ("{\"value\": \"" + "x".repeat(700_000) + "\"}").getBytes(StandardCharsets.UTF_8);
        for (String path : List.of("/api/teams/acme/secrets", "/login", "/nothing")) {
            Answer told = visitor.answer(visitor.request(path)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(large)));
            Answer chunked = visitor.answer(visitor.request(path)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))));
            assertThat(List.of(told, chunked)).allSatisfy(answer -> {
                assertThat(answer.status()).isEqualTo(413);
                assertThat(answer.response().body()).contains("640 KB");
                assertThat(answer.header("Content-Type"))
                        .startsWith(path.startsWith("/api") ? "application/problem+json" : "text/html");
            });
        }
    }

    @Test
    void aBodyThatDoesNotTellItsLengthIsReadLikeAnyOther() {
        byte[] body = "{\"value\": \"hunter2 \u2713\", \"ttl\": \"PT1H\"}".getBytes(StandardCharsets.UTF_8);
        Answer kept = visitor.answer(visitor.request("/api/teams/acme/secrets")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));
        assertThat(kept.status()).isEqualTo(201);
        assertThat(Instant.parse(kept.body().get("expiresAt").asString())).isAfter(Instant.now());
        assertThat(client.reveal(kept.header("Location")).body().get("value").asString())
                .isEqualTo("hunter2 \u2713");
    }
}
