package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.List;
import java.util.Map;

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

/** Nobody can lock a team out: neither by many secrets, nor by long ones, and the operator can make room. */
@SampleTest
class CreationRulesTests {

    @Autowired
    private Store store;

    @Autowired
    private Activity activity;

    private final SampleClient client;
    private final Visitor visitor;

    CreationRulesTests(SampleClient client, Visitor visitor) {
        this.client = client;
        this.visitor = visitor;
    }

    private Answer create(String team, String ttl) {
        return visitor.post("/page/secrets", Map.of("team", team, "value", "hunter2", "ttl", ttl));
    }

    @Test
    void withoutALoginASecretLivesAWeekAtMost() {
        for (Answer refused : List.of(client.keep("acme", "hunter2", "P365D"), create("acme", "P7DT1S"))) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().at("/errors/0/field").asString()).isEqualTo("ttl");
            assertThat(refused.body().at("/errors/0/reason").asString()).contains("7 days", "login");
        }
        assertThat(store.count("acme:")).isZero();
        assertThat(create("acme", "P7D").status()).isEqualTo(201);
        assertThat(client.keep("acme", "hunter2", "P365D", SampleTest.ADMIN, SampleTest.PASSWORD)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void theFormOffersWhatTheSenderMayChoose() {
        assertThat(visitor.load("/").response().body()).contains("\"P7D\"").doesNotContain("\"P30D\"");
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.load("/").response().body()).contains("\"P30D\"");
    }

    @Test
    void norCanItBeExtendedBeyondThat() {
        String id = create("acme", "P1D").body().get("id").asString();
        Map<String, String> longer = Map.of("team", "acme", "id", id, "by", "P7D");
        assertThat(visitor.post("/page/extend", longer).status()).isEqualTo(400);
        visitor.logIn(SampleTest.PASSWORD);
        visitor.load("/");
        assertThat(visitor.post("/page/extend", longer).status()).isEqualTo(200);
    }

    @Test
    void norByExtendingItAgainAndAgain() {
        String id = create("acme", "P7D").body().get("id").asString();
        Map<String, String> longer = Map.of("team", "acme", "id", id, "by", "PT0.05S");
        // A limit that counts from now would permit it as soon as that time has passed.
        await().pollDelay(Duration.ofMillis(100)).untilAsserted(() -> {
            Answer refused = visitor.post("/page/extend", longer);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().at("/errors/0/reason").asString()).contains("7 days after the creation");
        });
    }

    @Test
    void aClientCreatesSoManyInAnHourAndNoMore() {
        for (int i = 0; i < 300; i++) {
            assertThat(client.keep("acme", "hunter2", "PT10M").status()).isEqualTo(201);
        }
        for (Answer refused : List.of(client.keep("acme", "hunter2", "PT10M"), create("acme", "PT10M"))) {
            assertThat(refused.status()).isEqualTo(429);
            assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(3_000L, 3_600L);
            assertThat(refused.body().get("limit").asInt()).isEqualTo(300);
        }
        assertThat(client.keepFrom("192.0.2.7", "acme", "PT10M").status()).isEqualTo(201);
        assertThat(client.keep("acme", "hunter2", "PT10M", SampleTest.ADMIN, SampleTest.PASSWORD)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aClientCreatesSoManyBytesInAnHourAndNoMore() {
        String large = "x".repeat(65_536);
        for (int i = 0; i < 15; i++) {
            assertThat(client.keep("acme", large, "PT10M").status()).isEqualTo(201);
        }
        Answer refused = client.keep("acme", large, "PT10M");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(3_000L, 3_600L);
        assertThat(refused.body().get("limit").asLong()).isEqualTo(1_048_576);
        assertThat(refused.body().get("detail").asString()).contains("1 MB");
        assertThat(client.keep("acme", "small", "PT10M").status()).isEqualTo(201);
        assertThat(client.keep("acme", large, "PT10M", SampleTest.ADMIN, SampleTest.PASSWORD)
                        .status())
                .isEqualTo(201);
    }

    /** A control character takes six bytes in JSON, and so in the quota. */
    @Test
    void whatIsStoredCounts() {
        String controls = "\u0001".repeat(60_000);
        assertThat(client.keep("acme", controls, "PT10M").status()).isEqualTo(201);
        assertThat(client.keep("acme", controls, "PT10M").status()).isEqualTo(201);
        assertThat(client.keep("acme", controls, "PT10M").status()).isEqualTo(429);
    }

    @Test
    void someTeamsTakeALogin() {
        Answer api = client.keep(SampleTest.LOGIN_TEAM, "hunter2", "PT10M");
        assertThat(api.status()).isEqualTo(401);
        assertThat(api.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(api.header("Content-Type")).isEqualTo("application/problem+json");
        Answer page = visitor.load("/?team=" + SampleTest.LOGIN_TEAM);
        assertThat(page.status()).isEqualTo(302);
        assertThat(page.header("Location")).endsWith("/login?next=%2F%3Fteam%3D" + SampleTest.LOGIN_TEAM);
        visitor.load("/");
        Answer script = create(SampleTest.LOGIN_TEAM, "PT10M");
        assertThat(script.status()).isEqualTo(401);
        assertThat(script.body().get("detail").asString()).contains("logged in");
        assertThat(store.count(SampleTest.LOGIN_TEAM + ":")).isZero();
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.load("/?team=" + SampleTest.LOGIN_TEAM).status()).isEqualTo(200);
        assertThat(create(SampleTest.LOGIN_TEAM, "PT10M").status()).isEqualTo(201);
        Answer program = client.keep(SampleTest.LOGIN_TEAM, "hunter2", "PT10M", SampleTest.ADMIN, SampleTest.PASSWORD);
        assertThat(program.status()).isEqualTo(201);
        // A reader needs the link only.
        assertThat(client.reveal(program.header("Location")).status()).isEqualTo(200);
    }

    @Test
    void passwordsCannotBeGuessedHereEither() {
        for (int i = 0; i < 5; i++) {
            assertThat(client.keep("acme", "hunter2", "PT10M", SampleTest.ADMIN, "wrong")
                            .status())
                    .isEqualTo(401);
        }
        assertThat(client.keep("acme", "hunter2", "PT10M", SampleTest.ADMIN, SampleTest.PASSWORD)
                        .status())
                .isEqualTo(429);
    }

    @Test
    void theOperatorDeletesTheSecretsOfATeamAfterAQuestion() {
        for (int i = 0; i < 5; i++) {
            assertThat(create("small", "PT1H").status()).isEqualTo(201);
        }
        String other = client.kept("acme", "hunter2", "PT1H");
        assertThat(visitor.submit("/admin/teams/small/delete", Map.of()).status())
                .isEqualTo(302); // to the login
        assertThat(store.count("small:")).isEqualTo(5);
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.load("/admin").response().body()).contains("href=\"/admin/teams/small/delete\"");
        assertThat(visitor.load("/admin/teams/small/delete").response().body())
                .contains("<strong id=\"count\">5</strong>");
        assertThat(store.count("small:")).isEqualTo(5);
        visitor.submit("/admin/teams/small/delete", Map.of());
        assertThat(visitor.load("/admin").response().body()).contains("Secrets of team small deleted: 5.");
        assertThat(store.count("small:")).isZero();
        assertThat(store.count("sent/small")).isZero();
        assertThat(store.count("sender/small")).isZero();
        assertThat(activity.last("small").get(0).kind()).isEqualTo(Activity.Kind.CLEARED);
        assertThat(create("small", "PT1H").status()).isEqualTo(201);
        assertThat(client.reveal(other).status()).isEqualTo(200);
    }

    @Test
    void durationsAreInWords() {
        assertThat(CreationRules.inWords(Duration.ofDays(1))).isEqualTo("1 day");
        assertThat(CreationRules.inWords(Duration.ofDays(2))).isEqualTo("2 days");
        assertThat(CreationRules.inWords(Duration.ofHours(36))).isEqualTo("PT36H");
    }
}
