package dev.ttlstore.spring.security;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.example.tokens.TokenServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;

import dev.ttlstore.Store;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Spring's authorization server with its authorizations in the store: what its clients see. */
@ExtendWith(OutputCaptureExtension.class)
class TokenServerTests {

    private static final String CALLBACK = "http://127.0.0.1/callback";
    private static final String VERIFIER = "a-verifier-of-at-least-forty-three-characters-as-of-RFC-7636";
    private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");
    private static final Pattern STATE = Pattern.compile("name=\"state\" value=\"([^\"]+)\"");

    private final JsonMapper json = JsonMapper.shared();
    private final Browser browser = new Browser();
    private final Browser.Ahead clock = new Browser.Ahead();

    @TempDir
    private Path folder;

    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() {
        context = browser.start(
                TokenServer.class,
                clock,
                List.of("store.path=" + folder.resolve("tokens.db"), "store.authorizations.enabled=true"));
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void logIn() throws Exception {
        assertThat(browser.post("/login", Map.of("username", "ann", "password", "secret"))
                        .headers()
                        .firstValue("Location"))
                .hasValueSatisfying(location -> assertThat(location).doesNotContain("error"));
    }

    private HttpResponse<String> authorize(String client) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(StandardCharsets.US_ASCII));
        return browser.get("/oauth2/authorize?"
                + Browser.encode(Map.of(
                        "response_type",
                        "code",
                        "client_id",
                        client,
                        "redirect_uri",
                        CALLBACK,
                        "scope",
                        "openid read",
                        "code_challenge_method",
                        "S256",
                        "code_challenge",
                        Base64.getUrlEncoder().withoutPadding().encodeToString(hash))));
    }

    private static String code(HttpResponse<String> redirect) {
        return found(CODE, redirect.headers().firstValue("Location").orElse(""));
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private JsonNode exchange(String code) throws Exception {
        return token(Map.of(
                "grant_type", "authorization_code", "code", code, "redirect_uri", CALLBACK, "code_verifier", VERIFIER));
    }

    private JsonNode refresh(String token) throws Exception {
        return token(Map.of("grant_type", "refresh_token", "refresh_token", token));
    }

    private JsonNode token(Map<String, String> fields) throws Exception {
        return json.readTree(browser.postAs("shop", "/oauth2/token", fields).body());
    }

    private boolean isActive(JsonNode token) throws Exception {
        return json.readTree(browser.postAs("shop", "/oauth2/introspect", Map.of("token", text(token, "access_token")))
                        .body())
                .get("active")
                .booleanValue();
    }

    private static String text(JsonNode answer, String name) {
        assertThat(answer.has(name)).as(answer.toString()).isTrue();
        return answer.get(name).stringValue();
    }

    private JsonNode issued() throws Exception {
        logIn();
        return exchange(code(authorize("shop")));
    }

    @Test
    void tokensAreIssuedRefreshedAndExpire(CapturedOutput output) throws Exception {
        assertThat(context.getBean(OAuth2AuthorizationService.class)).isInstanceOf(StoreAuthorizationService.class);
        JsonNode first = issued();
        assertThat(text(first, "id_token")).isNotEmpty();
        assertThat(isActive(first)).isTrue();
        context.close();
        start();
        clock.advance(Duration.ofMinutes(6)); // the access token has expired
        JsonNode second = refresh(text(first, "refresh_token"));
        assertThat(isActive(second)).isTrue();
        assertThat(isActive(first)).isFalse();
        assertThat(text(refresh(text(first, "refresh_token")), "error")).isEqualTo("invalid_grant");
        clock.advance(Duration.ofDays(1).plusHours(1));
        assertThat(isActive(second)).isFalse();
        assertThat(text(refresh(text(second, "refresh_token")), "error")).isEqualTo("invalid_grant");
        Store store = context.getBean(Store.class);
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
        assertThat(output)
                .doesNotContain(text(first, "access_token"), text(first, "refresh_token"), text(second, "id_token"));
    }

    @Tag("variant")
    @Test
    void aCodeThatIsUsedTwiceEndsTheTokensThatItHasGot() throws Exception {
        logIn();
        String code = code(authorize("shop"));
        JsonNode issued = exchange(code);
        assertThat(isActive(issued)).isTrue();
        clock.advance(Duration.ofMinutes(10)); // the code has expired
        assertThat(text(exchange(code), "error")).isEqualTo("invalid_grant");
        assertThat(isActive(issued)).isFalse();
        assertThat(text(refresh(text(issued, "refresh_token")), "error")).isEqualTo("invalid_grant");
    }

    @Tag("variant")
    @Test
    void aTokenIsRevoked() throws Exception {
        JsonNode issued = issued();
        String token = text(issued, "refresh_token");
        assertThat(browser.postAs("shop", "/oauth2/revoke", Map.of("token", token))
                        .statusCode())
                .isEqualTo(200);
        assertThat(isActive(issued)).isFalse();
        assertThat(text(refresh(token), "error")).isEqualTo("invalid_grant");
        assertThat(browser.postAs("shop", "/oauth2/revoke", Map.of("token", "unknown"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Tag("variant")
    @Test
    void theTokenOfAClientEndsWithItself() throws Exception {
        JsonNode issued = token(Map.of("grant_type", "client_credentials", "scope", "read"));
        assertThat(isActive(issued)).isTrue();
        assertThat(context.getBean(Store.class).count()).isEqualTo(2);
        clock.advance(Duration.ofMinutes(5));
        assertThat(isActive(issued)).isFalse();
        assertThat(context.getBean(Store.class).count()).isZero();
    }

    @Tag("variant")
    @Test
    void consentIsWaitedForAWhile() throws Exception {
        logIn();
        Map<String, String> late = consent();
        clock.advance(Duration.ofMinutes(30));
        assertThat(browser.post("/oauth2/authorize", late).statusCode()).isEqualTo(400);
        Map<String, String> inTime = consent();
        clock.advance(Duration.ofMinutes(29));
        assertThat(code(browser.post("/oauth2/authorize", inTime))).isNotEmpty();
        assertThat(browser.post("/oauth2/authorize", inTime).statusCode()).isEqualTo(400);
    }

    private Map<String, String> consent() throws Exception {
        String state = found(STATE, authorize("asking").body());
        return Map.of("client_id", "asking", "state", state, "scope", "read");
    }

    @Tag("variant")
    @Test
    void aUserLogsOutWithAnIdTokenThatHasExpired() throws Exception {
        String idToken = text(issued(), "id_token");
        clock.advance(Duration.ofHours(12));
        HttpResponse<String> answer = browser.get("/connect/logout?"
                + Browser.encode(
                        Map.of("id_token_hint", idToken, "post_logout_redirect_uri", "http://127.0.0.1/goodbye")));
        assertThat(answer.headers().firstValue("Location")).contains("http://127.0.0.1/goodbye");
    }

    @Tag("slow")
    @Test
    void aDeviceIsToldThatItsCodeHasExpired() throws Exception {
        JsonNode asked = json.readTree(browser.postAs("device", "/oauth2/device_authorization", Map.of("scope", "read"))
                .body());
        Map<String, String> fields = Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:device_code",
                "device_code",
                text(asked, "device_code"));
        await().atMost(30, SECONDS).untilAsserted(() -> assertThat(text(
                        json.readTree(browser.postAs("device", "/oauth2/token", fields)
                                .body()),
                        "error"))
                .isEqualTo("expired_token"));
    }
}
