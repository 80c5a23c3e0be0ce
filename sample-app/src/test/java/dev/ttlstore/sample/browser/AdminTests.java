package dev.ttlstore.sample.browser;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the operator is shown, and everyone else is not. */
@SampleTest
class AdminTests {

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    private Visitor visitor = new Visitor("");

    @BeforeEach
    void visit() {
        visitor = new Visitor("http://localhost:" + port);
    }

    @Test
    void thePageTakesALogin() {
        HttpResponse<String> answer = visitor.get("/admin");
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location"))
                .hasValueSatisfying(location -> assertThat(location).endsWith("/login"));
        assertThat(visitor.getAsAdmin("/admin").statusCode()).isEqualTo(302);
    }

    @Test
    void aWrongPasswordOpensNothing() {
        HttpResponse<String> answer = visitor.logIn("wrong");
        assertThat(answer.headers().firstValue("Location"))
                .hasValueSatisfying(location -> assertThat(location).endsWith("/login?error"));
        assertThat(visitor.get("/admin").statusCode()).isEqualTo(302);
    }

    @Test
    void groupsAreShownWithTheirCountsAPageAtATime() {
        for (int i = 0; i < 30; i++) {
            store.scope("paged-%02d".formatted(i)).group("secrets").add("hunter2", Duration.ofMinutes(10));
        }
        visitor.logIn(SampleTest.PASSWORD);
        String first = visitor.get("/admin?after=paged").body();
        assertThat(first)
                .containsPattern("<td>paged-00:secrets</td><td class=\"number\">1</td><td class=\"number\">1</td>")
                .contains("paged-24:secrets", "id=\"more-groups\"")
                .doesNotContain("paged-25:secrets", "hunter2");
        assertThat(visitor.get("/admin?after=paged-24:secrets").body()).contains("paged-25:secrets");
    }

    @Test
    void aDeadLetterShowsTheBeginningOfItsKeyAndNeitherValueNorMessage() {
        try (Subscription failing = failing("failing", "mail")) {
            String key = store.group("mail").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("failing").count() == 1);
            visitor.logIn(SampleTest.PASSWORD);
            assertThat(visitor.get("/admin").body())
                    .contains("<code>" + key.substring(0, 4) + "…</code>", "<code>IllegalStateException</code>")
                    .doesNotContain(key, "hunter2", "quotes");
            assertThat(failing).isNotNull();
        } finally {
            store.removeExpirySubscriber("failing");
        }
    }

    @Test
    void aDeadLetterIsDropped() {
        try (Subscription failing = failing("dropping", "post")) {
            store.group("post").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("dropping").count() == 1);
            long id = store.deadLetters("dropping").stream()
                    .findFirst()
                    .orElseThrow()
                    .id();
            visitor.logIn(SampleTest.PASSWORD);
            Map<String, String> form =
                    Map.of("subscriber", "dropping", "id", Long.toString(id), "_csrf", visitor.token("/admin"));
            assertThat(visitor.post("/admin/dead-letters/drop", form).statusCode())
                    .isEqualTo(302);
            assertThat(visitor.get("/admin").body()).contains("Dropped.");
            assertThat(store.deadLetters("dropping").count()).isZero();
            visitor.post("/admin/dead-letters/drop", form);
            assertThat(visitor.get("/admin").body()).contains("It is gone already.");
            assertThat(failing).isNotNull();
        } finally {
            store.removeExpirySubscriber("dropping");
        }
    }

    @Test
    void nothingIsDoneWithoutTheTokenOfThePage() {
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.post("/admin/purge", Map.of()).statusCode()).isEqualTo(403);
        assertThat(visitor.post("/admin/purge", Map.of("_csrf", visitor.token("/admin")))
                        .statusCode())
                .isEqualTo(302);
        assertThat(visitor.get("/admin").body()).contains("Expired entries removed: ");
    }

    @Test
    void keysAreRotated() {
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.post("/admin/rotate-keys", Map.of("_csrf", visitor.token("/admin")))
                        .statusCode())
                .isEqualTo(302);
        assertThat(visitor.get("/admin").body()).contains("A key was added");
    }

    @Test
    void healthIsForEveryoneAndMetricsAreForTheOperator() {
        assertThat(visitor.get("/actuator/health").statusCode()).isEqualTo(200);
        assertThat(visitor.get("/actuator/health").body()).doesNotContain("path");
        assertThat(visitor.getAsAdmin("/actuator/health").body()).contains("store.db");
        assertThat(visitor.get("/actuator/prometheus").statusCode()).isEqualTo(401);
        assertThat(visitor.get("/actuator/store").statusCode()).isEqualTo(401);
        assertThat(visitor.getAsAdmin("/actuator/prometheus").body())
                .contains("store_gets_total{name=\"store\",result=\"hit\"}", "store_purge_lag_seconds");
    }

    private Subscription failing(String subscriber, String group) {
        return store.onExpired(subscriber, group, entry -> {
            throw new IllegalStateException("It quotes " + entry.value());
        });
    }
}
