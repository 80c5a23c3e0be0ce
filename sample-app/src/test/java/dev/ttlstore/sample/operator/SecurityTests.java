package dev.ttlstore.sample.operator;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class SecurityTests {

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    @BeforeEach
    void forgetFailedLogins() {
        store.deleteGroup("login-attempts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secrets", "sent", "extend", "delete", "look", "reveal"})
    void anActionOfThePageNeedsItsToken(String action) {
        Visitor visitor = Visitor.open(port);
        Answer without = visitor.answer(visitor.request("/page/" + action)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"team\": \"acme\"}")));
        assertThat(without.status()).isEqualTo(403);
        assertThat(without.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(visitor.post("/page/" + action, Map.of("team", "acme")).status())
                .isNotEqualTo(403);
    }

    @Test
    void theTokenOfOneBrowserIsNoneForAnother() {
        Visitor other = new Visitor(port);
        other.load("/");
        Visitor visitor = Visitor.open(port);
        visitor.load("/app.css");
        assertThat(other.cookie("XSRF-TOKEN").getValue())
                .isNotEqualTo(visitor.cookie("XSRF-TOKEN").getValue());
    }

    @Test
    void plainClientsNeedNeitherTokenNorCookieAndAreGivenNone() {
        Answer kept = new SampleClient(port).keep("acme", "hunter2", "PT1M");
        assertThat(kept.status()).isEqualTo(201);
        assertThat(kept.response().headers().map()).doesNotContainKey("Set-Cookie");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/teams/acme", "/reveal", "/admin", "/actuator/metrics", "/nothing"})
    void whoIsNotLoggedInGetsNoSession(String path) {
        Answer answer = Visitor.open(port).load(path);
        assertThat(answer.response().headers().allValues("Set-Cookie")).noneMatch(cookie -> cookie.contains("SESSION"));
        assertThat(new Visitor(port).logIn("wrong").response().headers().allValues("Set-Cookie"))
                .noneMatch(cookie -> cookie.contains("SESSION"));
    }

    @Test
    void thePageSetsNothingButItsToken() {
        assertThat(new Visitor(port).load("/").response().headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .startsWith("XSRF-TOKEN=")
                .contains("HttpOnly", "SameSite=Strict");
    }

    @Test
    void theOperatorLogsInByTheForm() {
        Visitor visitor = new Visitor(port);
        assertThat(visitor.load("/admin").header("Location")).endsWith("/login?next=%2Fadmin");
        assertThat(visitor.logIn("wrong").header("Location")).endsWith("/login?error");
        assertThat(visitor.load("/actuator/metrics").status()).isEqualTo(401);
        assertThat(visitor.logIn("pass").header("Location")).contains("/admin");
        assertThat(visitor.load("/actuator/metrics").status()).isEqualTo(200);
        assertThat(visitor.load("/admin").header("Location")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"metrics", "prometheus", "store", "info", ""})
    void theActuatorTakesTheLoginByHttpBasicToo(String endpoint) {
        SampleClient client = new SampleClient(port);
        String path = endpoint.isEmpty() ? "/actuator" : "/actuator/" + endpoint;
        assertThat(client.get(path).status()).isEqualTo(401);
        assertThat(client.get(path, "admin", "wrong").status()).isEqualTo(401);
        assertThat(client.get(path, "admin", "pass").status()).isEqualTo(200);
    }

    /** A browser sends a password that it has been told along for another site as well, and tells whose page asked. */
    @Test
    void aProgramOfTheOperatorNeedsNoTokenAndAnotherSiteDoes() {
        SampleClient client = new SampleClient(port);
        String path = "/actuator/loggers/none";
        assertThat(client.post(path, "admin", "pass", "Accept", "*/*").status()).isNotEqualTo(403);
        assertThat(client.post(path, "admin", "pass", "Origin", "https://example.org")
                        .status())
                .isEqualTo(403);
        assertThat(client.post(path, "admin", "pass", "Cookie", "JSESSIONID=1").status())
                .isEqualTo(403);
        assertThat(client.post(path, "admin", "wrong", "Accept", "*/*").status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void formsByOtherMethodsAreNotRead(String method) {
        Visitor visitor = Visitor.open(port);
        assertThat(visitor.answer(visitor.request("/login")
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .method(method, BodyPublishers.ofString("x=%zz")))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void thatTheSampleIsUpIsForEveryoneAndHowForTheOperator() {
        SampleClient client = new SampleClient(port);
        assertThat(client.get("/actuator/health")
                        .body()
                        .at("/components/store/details")
                        .isMissingNode())
                .isTrue();
        assertThat(client.get("/actuator/health", "admin", "pass")
                        .body()
                        .at("/components/store/details/entries")
                        .isNumber())
                .isTrue();
        assertThat(client.get("/actuator/prometheus", "admin", "pass")
                        .response()
                        .body())
                .contains("store_puts_total", "store_scope_usage");
    }
}
