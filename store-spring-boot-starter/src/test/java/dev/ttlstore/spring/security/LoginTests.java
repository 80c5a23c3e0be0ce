package dev.ttlstore.spring.security;

import java.net.HttpCookie;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.example.login.LoginApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** Logins by one-time tokens and by remember-me cookies, by HTTP, to a whole application. */
@ExtendWith(OutputCaptureExtension.class)
class LoginTests {

    private static final String COOKIE = "remember-me";

    private final Browser browser = new Browser();
    private final Browser.Ahead clock = new Browser.Ahead();

    @TempDir
    private Path folder;

    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        context = browser.start(
                LoginApplication.class,
                clock,
                List.of(
                        "store.path=" + folder.resolve("login.db"),
                        "store.one-time-tokens.enabled=true",
                        "store.remember-me.enabled=true"));
    }

    @AfterEach
    void close() {
        context.close();
    }

    private String user() throws Exception {
        HttpResponse<String> answer = browser.get("/me");
        return answer.statusCode() == 200 ? answer.body() : "nobody";
    }

    private String mailedToken() throws Exception {
        assertThat(browser.post("/ott/generate", Map.of("username", "ann")).statusCode())
                .isEqualTo(204);
        return context.getBean(LoginApplication.class).mailTo("ann");
    }

    private void logIn(String token) throws Exception {
        browser.post("/login/ott", Map.of("token", token));
    }

    private void logInRemembered() throws Exception {
        browser.post("/login", Map.of("username", "ann", "password", "secret", COOKIE, "on"));
        assertThat(user()).isEqualTo("ann");
    }

    private void restart() {
        context.close();
        start();
    }

    @Test
    void aMailedTokenLogsInOnce(CapturedOutput output) throws Exception {
        assertThat(user()).isEqualTo("nobody");
        String token = mailedToken();
        restart();
        logIn(token);
        assertThat(user()).isEqualTo("ann");
        browser.keepOnly("");
        logIn(token);
        assertThat(user()).isEqualTo("nobody");
        assertThat(output).doesNotContain(token);
    }

    @Tag("variant")
    @Test
    void aMailedTokenExpires() throws Exception {
        String token = mailedToken();
        clock.advance(Duration.ofMinutes(5));
        logIn(token);
        assertThat(user()).isEqualTo("nobody");
    }

    @Test
    void aRememberedLoginSurvivesARestart(CapturedOutput output) throws Exception {
        logInRemembered();
        HttpCookie first = browser.cookie(COOKIE);
        restart();
        browser.keepOnly(COOKIE);
        clock.advance(Duration.ofDays(13));
        assertThat(user()).isEqualTo("ann");
        assertThat(browser.cookie(COOKIE).getValue()).isNotEqualTo(first.getValue());
        browser.keepOnly(COOKIE);
        clock.advance(Duration.ofDays(13)); // it was used
        assertThat(user()).isEqualTo("ann");
        browser.keepOnly(COOKIE);
        clock.advance(Duration.ofDays(14));
        assertThat(user()).isEqualTo("nobody");
        assertThat(output).doesNotContain(first.getValue());
    }

    @Tag("variant")
    @Test
    void aStolenCookieEndsAllLoginsOfTheUser() throws Exception {
        logInRemembered();
        HttpCookie stolen = browser.cookie(COOKIE);
        browser.keepOnly(COOKIE);
        assertThat(user()).isEqualTo("ann");
        HttpCookie current = browser.cookie(COOKIE);
        browser.keepOnly("");
        browser.setCookie(stolen);
        assertThat(user()).isEqualTo("nobody");
        browser.keepOnly("");
        browser.setCookie(current);
        assertThat(user()).isEqualTo("nobody");
        assertThat(context.getBean(Store.class).count(StorePersistentTokenRepository.GROUP))
                .isZero();
    }

    @Tag("variant")
    @Test
    void aLogoutForgetsTheLogin() throws Exception {
        logInRemembered();
        HttpCookie before = browser.cookie(COOKIE);
        browser.post("/logout", Map.of());
        browser.keepOnly("");
        browser.setCookie(before);
        assertThat(user()).isEqualTo("nobody");
    }
}
