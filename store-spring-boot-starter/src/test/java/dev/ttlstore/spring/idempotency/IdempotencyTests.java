package dev.ttlstore.spring.idempotency;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.ttlstore.spring.MovableClock;
import dev.ttlstore.spring.TestDatabase;

import static dev.ttlstore.spring.idempotency.PaymentsServer.send;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests with an {@code Idempotency-Key}, by HTTP, to a whole application with the properties alone. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyTests {

    private static final MovableClock CLOCK = new MovableClock();
    private static @Nullable PaymentsServer shared;

    /** Of the application that tests share. */
    @TempDir
    private static Path sharedFolder;

    private final List<PaymentsServer> servers = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        servers.forEach(PaymentsServer::close);
    }

    @AfterAll
    static void closeShared() {
        if (shared != null) {
            shared.close();
            shared = null;
        }
    }

    /** Returns the application of the tests that set no property and start nothing again; it is empty. */
    private PaymentsServer shared() {
        if (shared == null) {
            shared = PaymentsServer.inFile(sharedFolder, "clock", CLOCK);
        }
        shared.clear();
        return shared;
    }

    private PaymentsServer start(String... more) {
        PaymentsServer server = PaymentsServer.inFile(folder, "clock", CLOCK, more);
        servers.add(server);
        return server;
    }

    private PaymentsServer startOnPostgreSql(String schema) {
        PaymentsServer server = PaymentsServer.onPostgreSql(schema);
        servers.add(server);
        return server;
    }

    @Test
    void aRequestTakesEffectOnceAndItsAnswerIsRepeated() {
        PaymentsServer server = shared();
        HttpResponse<String> first = server.post("/payments", "\"key-1\"");
        HttpResponse<String> second = server.post("/payments", "\"key-1\"");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).contains("\"number\":1").contains("10 EUR");
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        for (String header : List.of("Location", "X-Receipt", "Content-Type")) {
            assertThat(second.headers().allValues(header))
                    .isEqualTo(first.headers().allValues(header));
        }
        assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(server.made()).isEqualTo(1);
    }

    /** A cookie may be a login. */
    @Test
    void cookiesAreNotRepeated() {
        PaymentsServer server = shared();
        assertThat(server.post("/payments", "key").headers().allValues("Set-Cookie"))
                .containsExactly("seen=1");
        assertThat(server.post("/payments", "key").headers().allValues("Set-Cookie"))
                .isEmpty();
    }

    @Tag("variant")
    @Test
    void aKeyIsTheSameWithAndWithoutQuotationMarks() {
        PaymentsServer server = shared();
        server.post("/payments", "\"a-key\"");
        assertThat(server.post("/payments", "a-key").statusCode()).isEqualTo(201);
        assertThat(server.made()).isEqualTo(1);
    }

    @Test
    void differentKeysAndRequestsWithoutKeysAreIndependent() {
        PaymentsServer server = shared();
        server.post("/payments", "one");
        server.post("/payments", "other");
        server.post("/payments", null);
        server.post("/payments", null);
        assertThat(server.made()).isEqualTo(4);
    }

    @Test
    void otherMethodsAreLeftAlone() {
        PaymentsServer server = shared();
        for (int i = 0; i < 2; i++) {
            assertThat(send(server.request("/payments", "key").PUT(BodyPublishers.ofString("1")))
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(server.made()).isEqualTo(2);
    }

    @Test
    void theSameKeyWithAnotherRequestIsRefused() {
        PaymentsServer server = shared();
        server.post("/payments", "key");
        HttpResponse<String> otherBody =
                send(server.request("/payments", "key").POST(BodyPublishers.ofString("20 EUR")));
        assertThat(otherBody.statusCode()).isEqualTo(422);
        assertThat(otherBody.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(otherBody.body()).contains("\"status\":422").contains("belongs to another request");
        assertThat(server.post("/payments?a=b", "key").statusCode()).isEqualTo(422);
        assertThat(server.post("/payments/unavailable", "key").statusCode()).isEqualTo(422);
        assertThat(server.made()).isEqualTo(1);
    }

    @Test
    void aSecondRequestIsRefusedWhileTheFirstRuns() throws Exception {
        PaymentsServer server = start();
        CompletableFuture<HttpResponse<String>> first = server.postLater("/payments/slow", "key");
        assertThat(server.payments().running().await(20, TimeUnit.SECONDS)).isTrue();
        HttpResponse<String> second = server.post("/payments/slow", "key");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
        server.payments().end().countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(server.post("/payments/slow", "key").statusCode()).isEqualTo(200);
        assertThat(server.made()).isEqualTo(1);
    }

    /** So that a request whose instance was killed does not block its key for ever. */
    @Test
    void aRequestThatNeverEndsBlocksItsKeyForALimitedTime(CapturedOutput output) throws Exception {
        PaymentsServer server = start("--store.idempotency.running-timeout=2m");
        CompletableFuture<HttpResponse<String>> first = server.postLater("/payments/slow", "key");
        assertThat(server.payments().running().await(20, TimeUnit.SECONDS)).isTrue();
        CLOCK.advance(Duration.ofMinutes(2));
        server.payments().end().countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(output).contains("has taken longer than PT2M");
        assertThat(server.post("/payments/slow", "key").body()).contains("\"number\":2");
    }

    @Test
    void anAnswerIsKeptForTheTtl() {
        PaymentsServer server = start("--store.idempotency.ttl=1h");
        server.post("/payments", "key");
        CLOCK.advance(Duration.ofHours(1).minusMillis(1));
        server.post("/payments", "key");
        assertThat(server.made()).isEqualTo(1);
        CLOCK.advance(Duration.ofMillis(1));
        server.post("/payments", "key");
        assertThat(server.made()).isEqualTo(2);
    }

    @Test
    void anAnswerSurvivesARestart() {
        PaymentsServer before = start();
        String answer = before.post("/payments", "key").body();
        before.close();
        PaymentsServer after = start();
        assertThat(after.post("/payments", "key").body()).isEqualTo(answer);
        assertThat(after.made()).isZero();
    }

    @Tag("postgresql")
    @Test
    void anAnswerOfOneInstanceIsRepeatedByAnother() {
        String schema = TestDatabase.freshName();
        PaymentsServer one = startOnPostgreSql(schema);
        PaymentsServer other = startOnPostgreSql(schema);
        assertThat(other.post("/payments", "key").body())
                .isEqualTo(one.post("/payments", "key").body());
        assertThat(one.made() + other.made()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/payments/failing", "/payments/unavailable"})
    void whatHasNotTakenEffectCanBeSentAgain(String path) {
        PaymentsServer server = shared();
        int status = server.post(path, "key").statusCode();
        assertThat(status).isIn(500, 503);
        assertThat(server.post(path, "key").statusCode()).isEqualTo(status);
        assertThat(server.made()).isEqualTo(2);
    }

    @Test
    void aRefusalIsRepeated() {
        PaymentsServer server = shared();
        HttpResponse<String> first = server.post("/payments/refused", "key");
        HttpResponse<String> second = server.post("/payments/refused", "key");
        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(second.body()).contains("\"status\":409").contains("/payments/refused");
        assertThat(server.made()).isEqualTo(1);
    }

    @Test
    void anAsynchronousAnswerIsRepeated() {
        PaymentsServer server = shared();
        String first = server.post("/payments/async", "key").body();
        assertThat(first).contains("async");
        assertThat(server.post("/payments/async", "key").body()).isEqualTo(first);
        assertThat(server.made()).isEqualTo(1);
    }

    @Test
    void formsKeepTheirParameters() {
        PaymentsServer server = shared();
        HttpResponse<String> first = send(form(server, "amount=10"));
        assertThat(first.body()).contains("\"amount\":\"10\"");
        assertThat(send(form(server, "amount=10")).body()).isEqualTo(first.body());
        assertThat(send(form(server, "amount=20")).statusCode()).isEqualTo(422);
        assertThat(server.made()).isEqualTo(1);
    }

    private HttpRequest.Builder form(PaymentsServer server, String body) {
        return server.request("/payments/form", "key")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    @Test
    void filesArePartOfTheRequest() {
        PaymentsServer server = shared();
        HttpResponse<String> first = send(upload(server, "abc", "one"));
        assertThat(first.body()).contains("3 bytes");
        assertThat(send(upload(server, "abc", "two")).body()).isEqualTo(first.body());
        assertThat(send(upload(server, "abd", "one")).statusCode()).isEqualTo(422);
        assertThat(server.made()).isEqualTo(1);
    }

    private HttpRequest.Builder upload(PaymentsServer server, String content, String boundary) {
        return server.request("/payments/upload", "key")
                .setHeader("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofString("--" + boundary
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" + content
                        + "\r\n--"
                        + boundary + "--\r\n"));
    }

    @Test
    void anAnswerThatIsTooLargeForTheStoreIsSentOnce(CapturedOutput output) {
        PaymentsServer server = shared();
        assertThat(server.post("/payments/large", "key").body()).hasSize(2_000_000);
        HttpResponse<String> second = server.post("/payments/large", "key");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("could not be kept");
        assertThat(server.made()).isEqualTo(1);
        assertThat(output).contains("cannot be repeated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "a b", "\"a", "\"a\\b\"", "\"a\";b=1"})
    void aMalformedKeyIsRefused(String key) {
        PaymentsServer server = shared();
        assertThat(server.post("/payments", key).statusCode()).isEqualTo(400);
        assertThat(server.post("/payments", "k".repeat(256)).statusCode()).isEqualTo(400);
        assertThat(server.post("/payments", "\"" + "k".repeat(5_000) + "\"").statusCode())
                .isEqualTo(400);
        assertThat(server.made()).isZero();
    }

    @Tag("variant")
    @Test
    void aKeyIsRequiredWhereThePropertiesSaySo() {
        PaymentsServer server = start("--store.idempotency.required-paths=/payments,/orders/**");
        HttpResponse<String> without = server.post("/payments", null);
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.body()).contains("needs the header Idempotency-Key");
        assertThat(server.post("/payments/async", null).statusCode()).isEqualTo(200);
        assertThat(server.post("/payments", "key").statusCode()).isEqualTo(201);
    }

    @Tag("variant")
    @Test
    void keysCountOnlyWhereThePropertiesSaySo() {
        PaymentsServer server = start("--store.idempotency.paths=/orders/**");
        server.post("/payments", "key");
        server.post("/payments", "key");
        assertThat(server.made()).isEqualTo(2);
    }

    @Test
    void keysAreStoredAsHashes() {
        PaymentsServer server = shared();
        server.post("/payments", "my-key");
        assertThat(server.store()
                        .scope(IdempotencyFilter.ANONYMOUS_SCOPE)
                        .group(IdempotencyFilter.GROUP)
                        .keys())
                .singleElement()
                .asString()
                .matches("[0-9a-f]{64}");
    }
}
