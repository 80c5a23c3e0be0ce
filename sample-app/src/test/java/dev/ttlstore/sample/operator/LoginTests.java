package dev.ttlstore.sample.operator;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;
import dev.ttlstore.sample.web.SecretsProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A login leads back to the page that needed it, and a sender's login does not make an operator. */
@SampleTest
class LoginTests {

    private static final String VAULT = "/?team=" + SampleTest.LOGIN_TEAM;

    @LocalServerPort
    private int port;

    @Autowired
    private SecretsProperties properties;

    private Visitor visitor = new Visitor(0);

    @BeforeEach
    void open() {
        visitor = new Visitor(port);
    }

    private String logInAsSender(String next) {
        return visitor.logIn(SampleTest.SENDER, SampleTest.SENDER_PASSWORD, next)
                .header("Location");
    }

    @Test
    void aLoginLeadsBackToThePageThatNeededIt() {
        String login = visitor.load(VAULT).header("Location");
        assertThat(login).endsWith("/login?next=%2F%3Fteam%3D" + SampleTest.LOGIN_TEAM);
        assertThat(visitor.load("/login?next=%2F%3Fteam%3D" + SampleTest.LOGIN_TEAM)
                        .response()
                        .body())
                .contains("name=\"next\" value=\"/?team");
        Answer wrong = visitor.logIn(SampleTest.SENDER, "wrong", VAULT);
        assertThat(wrong.header("Location")).endsWith("/login?error&next=%2F%3Fteam%3D" + SampleTest.LOGIN_TEAM);
        assertThat(logInAsSender(VAULT)).endsWith(port + VAULT);
        assertThat(visitor.load(VAULT).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.org/",
                "//example.org/",
                "/\\example.org/",
                "/\t/example.org/",
                "/\r\nX: y",
                "javascript:alert(1)",
                "example.org",
                "/ä",
                ""
            })
    void aLoginLeadsToNoOtherSite(String next) {
        assertThat(visitor.logIn(SampleTest.ADMIN, SampleTest.PASSWORD, next).header("Location"))
                .endsWith(port + "/admin");
        assertThat(visitor.load("/login").response().body()).doesNotContain("name=\"next\"");
    }

    @Test
    void aFormIsNotSentAgainByALogin() {
        visitor.load("/");
        assertThat(visitor.submit("/admin/purge", Map.of()).header("Location")).endsWith("/login");
    }

    @Test
    void aSenderDoesNotOperate() {
        assertThat(logInAsSender("")).endsWith(port + "/");
        Answer refused = visitor.load("/admin");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.response().body()).contains("Log in as the operator");
        visitor.load("/");
        for (String action : List.of("purge", "rotate-keys", "teams/acme/delete")) {
            assertThat(visitor.submit("/admin/" + action, Map.of()).status()).isEqualTo(403);
        }
        assertThat(visitor.load("/actuator/metrics").status()).isEqualTo(403);
        SampleClient client = new SampleClient(port);
        assertThat(client.get("/actuator/metrics", SampleTest.SENDER, SampleTest.SENDER_PASSWORD)
                        .status())
                .isEqualTo(403);
        assertThat(client.get("/actuator/health", SampleTest.SENDER, SampleTest.SENDER_PASSWORD)
                        .body()
                        .at("/components/store/details")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void aSenderCreatesWhatTakesALogin() {
        logInAsSender("");
        assertThat(visitor.load("/").response().body()).contains("\"P30D\"");
        assertThat(new SampleClient(port)
                        .keep(SampleTest.LOGIN_TEAM, "hunter2", "P30D", SampleTest.SENDER, SampleTest.SENDER_PASSWORD)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aSenderLogsOutOnTheLoginPage() {
        logInAsSender("");
        assertThat(visitor.load("/login").response().body()).contains("logged in as alice");
        visitor.submit("/logout", Map.of());
        assertThat(visitor.load("/login").response().body()).doesNotContain("logged in as");
        assertThat(visitor.load(VAULT).status()).isEqualTo(302);
    }

    @Test
    void propertiesDoNotShowPasswords() {
        assertThat(properties.toString()).contains(SampleTest.SENDER).doesNotContain(SampleTest.SENDER_PASSWORD);
    }

    @Test
    void namesAreNotGivenTwice() {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(User.withUsername(SampleTest.SENDER)
                .password("x")
                .roles("OPERATOR")
                .build());
        assertThatIllegalStateException()
                .isThrownBy(() -> new SenderLogins(users, properties, ""))
                .withMessageContaining("'secrets.senders'");
    }
}
