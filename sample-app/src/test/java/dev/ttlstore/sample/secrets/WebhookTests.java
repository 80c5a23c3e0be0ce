package dev.ttlstore.sample.secrets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;
import dev.ttlstore.sample.web.SecretsProperties;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Notices of secrets that were read or have expired unread reach another application, at the latest when the operator retries. */
@SampleTest
class WebhookTests {

    private static final String KEY = "a key for signatures";

    private static final HttpServer OTHER = start();
    private static final List<Received> RECEIVED = new CopyOnWriteArrayList<>();
    private static final AtomicInteger STATUS = new AtomicInteger();

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    private SampleClient client = new SampleClient(0);

    record Received(String id, String signature, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", WebhookTests::receive);
            server.start();
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void receive(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        RECEIVED.add(new Received(
                exchange.getRequestHeaders().getFirst("X-Notice-Id"),
                exchange.getRequestHeaders().getFirst("X-Notice-Signature"),
                body));
        exchange.sendResponseHeaders(STATUS.get(), -1);
        exchange.close();
    }

    @DynamicPropertySource
    static void set(DynamicPropertyRegistry registry) {
        registry.add(
                "secrets.webhook.url",
                () -> "http://127.0.0.1:" + OTHER.getAddress().getPort() + "/token");
        registry.add("secrets.webhook.signing-key", () -> KEY);
    }

    @BeforeEach
    void open() {
        client = new SampleClient(port);
        RECEIVED.clear();
        STATUS.set(204);
    }

    @AfterAll
    static void stop() {
        OTHER.stop(0);
    }

    @Test
    void itIsToldOfASecretThatWasReadWithoutTheSecret() throws Exception {
        String location = client.kept("acme", "hunter2", "PT10M");
        client.reveal(location);
        client.reveal(location);
        await().until(() -> !RECEIVED.isEmpty());
        Received notice = RECEIVED.get(0);
        assertThat(notice.json().get("event").asString()).isEqualTo("secret.read");
        assertThat(notice.json().get("team").asString()).isEqualTo("acme");
        assertThat(notice.json().propertyNames()).containsExactlyInAnyOrder("event", "team", "at");
        assertThat(notice.id()).isNotEmpty();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        assertThat(notice.signature())
                .isEqualTo("sha256="
                        + HexFormat.of().formatHex(mac.doFinal(notice.body().getBytes(StandardCharsets.UTF_8))));
        await().until(() -> store.count(Webhook.GROUP) == 0);
        assertThat(RECEIVED).hasSize(1);
    }

    @Test
    void itIsToldOfASecretThatExpiredUnread() {
        client.kept("acme", "hunter2", "PT0.05S");
        await().until(() -> !RECEIVED.isEmpty());
        assertThat(RECEIVED.get(0).json().get("event").asString()).isEqualTo("secret.expired");
    }

    @Test
    void itIsToldOfHowManyViewsASecretHadBeforeItExpired() {
        String body = "{\"value\": \"hunter2\", \"ttl\": \"PT2S\", \"views\": 5}";
        client.reveal(client.post("/api/teams/acme/secrets", body).header("Location"));
        await().until(() -> RECEIVED.size() == 2);
        JsonNode expired = RECEIVED.get(1).json();
        assertThat(expired.get("event").asString()).isEqualTo("secret.expired");
        assertThat(expired.at("/views/done").asInt()).isOne();
        assertThat(expired.at("/views/of").asInt()).isEqualTo(5);
    }

    @Test
    void itIsToldOfASecretThatWasDeletedBecauseOfWrongPassphrases() {
        String body = "{\"value\": \"hunter2\", \"ttl\": \"PT1H\", \"passphrase\": \"swordfish\"}";
        String location = client.post("/api/teams/acme/secrets", body).header("Location");
        store.counters("wrong-passphrases").put(SecretKeys.stored(location.replaceAll(".*/", "")), 19L);
        client.post(location + "/reveal", "{\"passphrase\": \"wrong\"}");
        await().until(() -> !RECEIVED.isEmpty());
        assertThat(RECEIVED.get(0).json().get("event").asString()).isEqualTo("secret.guessed");
    }

    @Test
    void aNoticeThatWasNotAcceptedIsADeadLetterAndIsSentAgainByTheOperator() {
        STATUS.set(500);
        client.reveal(client.kept("acme", "hunter2", "PT10M"));
        await().until(() -> store.deadLetters("webhook").count() == 1);
        Visitor operator = new Visitor(port);
        operator.logIn(SampleTest.PASSWORD);
        assertThat(operator.load("/admin").response().body())
                .contains("webhook", "IllegalStateException")
                .doesNotContain("/token", "hunter2");
        STATUS.set(204);
        long id =
                store.deadLetters("webhook").stream().findFirst().orElseThrow().id();
        operator.submit("/admin/dead-letters/retry", Map.of("subscriber", "webhook", "id", Long.toString(id)));
        await().until(() -> RECEIVED.size() == 2);
        await().until(() -> store.deadLetters("webhook").count() == 0);
        assertThat(RECEIVED.get(1).id()).isEqualTo(RECEIVED.get(0).id());
        assertThat(RECEIVED.get(1).body()).isEqualTo(RECEIVED.get(0).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://192.0.2.1/notices", "ftp://127.0.0.1/", "/notices", "no address"})
    void anAddressThatOthersCouldReadIsRefused(String url) {
        Binder settings = new Binder(new MapConfigurationPropertySource(Map.of("secrets.webhook.url", url)));
        SecretsProperties properties = settings.bindOrCreate("secrets", SecretsProperties.class);
        assertThatThrownBy(() -> new WebhookClient(properties))
                .hasMessageContaining("'secrets.webhook.url' must be an https address");
    }
}
