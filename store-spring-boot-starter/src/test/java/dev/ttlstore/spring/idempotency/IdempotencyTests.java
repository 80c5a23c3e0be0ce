package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.example.payments.Payments;
import org.example.payments.PaymentsApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;
import dev.ttlstore.spring.TestDatabase;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests with an {@code Idempotency-Key}, by HTTP, to a whole application with the properties alone. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyTests {

    private static final String WITHOUT_DATA_SOURCE =
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private final HttpClient client = HttpClient.newHttpClient();
    private static final MovableClock CLOCK = new MovableClock();
    private static @Nullable ConfigurableApplicationContext shared;

    /** Of the application that tests share. */
    @TempDir
    private static Path sharedFolder;

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }

    @AfterAll
    static void closeShared() {
        if (shared != null) {
            shared.close();
            shared = null;
        }
    }

    /** Returns the application of the tests that set no property and start nothing again; it is empty. */
    private ConfigurableApplicationContext shared() {
        if (shared == null) {
            shared = run("--store.path=" + sharedFolder.resolve("payments.db"), WITHOUT_DATA_SOURCE);
        }
        shared.getBean(Store.class).deletePrefix("");
        payments(shared).clear();
        return shared;
    }

    private ConfigurableApplicationContext start(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--store.path=" + folder.resolve("payments.db"), WITHOUT_DATA_SOURCE));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext context = run(arguments.toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    private ConfigurableApplicationContext startOnPostgreSql(String schema) {
        ConfigurableApplicationContext context = run(Stream.of(TestDatabase.properties(schema))
                .map(property -> "--" + property)
                .toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    private static ConfigurableApplicationContext run(String... more) {
        boolean embedded = List.of(more).contains(WITHOUT_DATA_SOURCE);
        List<String> arguments = new ArrayList<>(List.of(
                "--store.idempotency.enabled=true",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(PaymentsApplication.class)
                .initializers(created -> {
                    if (embedded) {
                        created.getBeanFactory().registerSingleton("clock", CLOCK);
                    }
                })
                .run(arguments.toArray(String[]::new));
    }

    private static Payments payments(ConfigurableApplicationContext context) {
        return context.getBean(Payments.class);
    }

    private HttpRequest.Builder request(ConfigurableApplicationContext context, String path, @Nullable String key) {
        String port = requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("10 EUR"));
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    private HttpResponse<String> post(ConfigurableApplicationContext context, String path, @Nullable String key) {
        return send(request(context, path, key));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRequestTakesEffectOnceAndItsAnswerIsRepeated() {
        ConfigurableApplicationContext context = shared();
        HttpResponse<String> first = post(context, "/payments", "\"key-1\"");
        HttpResponse<String> second = post(context, "/payments", "\"key-1\"");
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
        assertThat(payments(context).made()).isEqualTo(1);
    }

    /** A cookie may be a login. */
    @Test
    void cookiesAreNotRepeated() {
        ConfigurableApplicationContext context = shared();
        assertThat(post(context, "/payments", "key").headers().allValues("Set-Cookie"))
                .containsExactly("seen=1");
        assertThat(post(context, "/payments", "key").headers().allValues("Set-Cookie"))
                .isEmpty();
    }

    @Tag("variant")
    @Test
    void aKeyIsTheSameWithAndWithoutQuotationMarks() {
        ConfigurableApplicationContext context = shared();
        post(context, "/payments", "\"a-key\"");
        assertThat(post(context, "/payments", "a-key").statusCode()).isEqualTo(201);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    @Test
    void differentKeysAndRequestsWithoutKeysAreIndependent() {
        ConfigurableApplicationContext context = shared();
        post(context, "/payments", "one");
        post(context, "/payments", "other");
        post(context, "/payments", null);
        post(context, "/payments", null);
        assertThat(payments(context).made()).isEqualTo(4);
    }

    @Test
    void otherMethodsAreLeftAlone() {
        ConfigurableApplicationContext context = shared();
        for (int i = 0; i < 2; i++) {
            assertThat(send(request(context, "/payments", "key").PUT(BodyPublishers.ofString("1")))
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(payments(context).made()).isEqualTo(2);
    }

    @Test
    void theSameKeyWithAnotherRequestIsRefused() {
        ConfigurableApplicationContext context = shared();
        post(context, "/payments", "key");
        HttpResponse<String> otherBody =
                send(request(context, "/payments", "key").POST(BodyPublishers.ofString("20 EUR")));
        assertThat(otherBody.statusCode()).isEqualTo(422);
        assertThat(otherBody.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(otherBody.body()).contains("\"status\":422").contains("belongs to another request");
        assertThat(post(context, "/payments?a=b", "key").statusCode()).isEqualTo(422);
        assertThat(post(context, "/payments/unavailable", "key").statusCode()).isEqualTo(422);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    @Test
    void aSecondRequestIsRefusedWhileTheFirstRuns() throws Exception {
        ConfigurableApplicationContext context = start();
        CompletableFuture<HttpResponse<String>> first =
                client.sendAsync(request(context, "/payments/slow", "key").build(), BodyHandlers.ofString());
        assertThat(payments(context).running().await(20, TimeUnit.SECONDS)).isTrue();
        HttpResponse<String> second = post(context, "/payments/slow", "key");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
        payments(context).end().countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(post(context, "/payments/slow", "key").statusCode()).isEqualTo(200);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    /** So that a request whose instance was killed does not block its key for ever. */
    @Test
    void aRequestThatNeverEndsBlocksItsKeyForALimitedTime(CapturedOutput output) throws Exception {
        ConfigurableApplicationContext context = start("--store.idempotency.running-timeout=2m");
        CompletableFuture<HttpResponse<String>> first =
                client.sendAsync(request(context, "/payments/slow", "key").build(), BodyHandlers.ofString());
        assertThat(payments(context).running().await(20, TimeUnit.SECONDS)).isTrue();
        CLOCK.advance(Duration.ofMinutes(2));
        payments(context).end().countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(output).contains("has taken longer than PT2M");
        assertThat(post(context, "/payments/slow", "key").body()).contains("\"number\":2");
    }

    @Test
    void anAnswerIsKeptForTheTtl() {
        ConfigurableApplicationContext context = start("--store.idempotency.ttl=1h");
        post(context, "/payments", "key");
        CLOCK.advance(Duration.ofHours(1).minusMillis(1));
        post(context, "/payments", "key");
        assertThat(payments(context).made()).isEqualTo(1);
        CLOCK.advance(Duration.ofMillis(1));
        post(context, "/payments", "key");
        assertThat(payments(context).made()).isEqualTo(2);
    }

    @Test
    void anAnswerSurvivesARestart() {
        ConfigurableApplicationContext before = start();
        String answer = post(before, "/payments", "key").body();
        before.close();
        ConfigurableApplicationContext after = start();
        assertThat(post(after, "/payments", "key").body()).isEqualTo(answer);
        assertThat(payments(after).made()).isZero();
    }

    @Tag("postgresql")
    @Test
    void anAnswerOfOneInstanceIsRepeatedByAnother() {
        String schema = TestDatabase.freshName();
        ConfigurableApplicationContext one = startOnPostgreSql(schema);
        ConfigurableApplicationContext other = startOnPostgreSql(schema);
        assertThat(post(other, "/payments", "key").body())
                .isEqualTo(post(one, "/payments", "key").body());
        assertThat(payments(one).made() + payments(other).made()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/payments/failing", "/payments/unavailable"})
    void whatHasNotTakenEffectCanBeSentAgain(String path) {
        ConfigurableApplicationContext context = shared();
        int status = post(context, path, "key").statusCode();
        assertThat(status).isIn(500, 503);
        assertThat(post(context, path, "key").statusCode()).isEqualTo(status);
        assertThat(payments(context).made()).isEqualTo(2);
    }

    @Test
    void aRefusalIsRepeated() {
        ConfigurableApplicationContext context = shared();
        HttpResponse<String> first = post(context, "/payments/refused", "key");
        HttpResponse<String> second = post(context, "/payments/refused", "key");
        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(second.body()).contains("\"status\":409").contains("/payments/refused");
        assertThat(payments(context).made()).isEqualTo(1);
    }

    @Test
    void anAsynchronousAnswerIsRepeated() {
        ConfigurableApplicationContext context = shared();
        String first = post(context, "/payments/async", "key").body();
        assertThat(first).contains("async");
        assertThat(post(context, "/payments/async", "key").body()).isEqualTo(first);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    @Test
    void formsKeepTheirParameters() {
        ConfigurableApplicationContext context = shared();
        HttpResponse<String> first = send(form(context, "amount=10"));
        assertThat(first.body()).contains("\"amount\":\"10\"");
        assertThat(send(form(context, "amount=10")).body()).isEqualTo(first.body());
        assertThat(send(form(context, "amount=20")).statusCode()).isEqualTo(422);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    private HttpRequest.Builder form(ConfigurableApplicationContext context, String body) {
        return request(context, "/payments/form", "key")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    @Test
    void filesArePartOfTheRequest() {
        ConfigurableApplicationContext context = shared();
        HttpResponse<String> first = send(upload(context, "abc", "one"));
        assertThat(first.body()).contains("3 bytes");
        assertThat(send(upload(context, "abc", "two")).body()).isEqualTo(first.body());
        assertThat(send(upload(context, "abd", "one")).statusCode()).isEqualTo(422);
        assertThat(payments(context).made()).isEqualTo(1);
    }

    private HttpRequest.Builder upload(ConfigurableApplicationContext context, String content, String boundary) {
        return request(context, "/payments/upload", "key")
                .setHeader("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofString("--" + boundary
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" + content
                        + "\r\n--"
                        + boundary + "--\r\n"));
    }

    @Test
    void anAnswerThatIsTooLargeForTheStoreIsSentOnce(CapturedOutput output) {
        ConfigurableApplicationContext context = shared();
        assertThat(post(context, "/payments/large", "key").body()).hasSize(2_000_000);
        HttpResponse<String> second = post(context, "/payments/large", "key");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("could not be kept");
        assertThat(payments(context).made()).isEqualTo(1);
        assertThat(output).contains("cannot be repeated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "a b", "\"a", "\"a\\b\"", "\"a\";b=1"})
    void aMalformedKeyIsRefused(String key) {
        ConfigurableApplicationContext context = shared();
        assertThat(post(context, "/payments", key).statusCode()).isEqualTo(400);
        assertThat(post(context, "/payments", "k".repeat(256)).statusCode()).isEqualTo(400);
        assertThat(post(context, "/payments", "\"" + "k".repeat(5_000) + "\"").statusCode())
                .isEqualTo(400);
        assertThat(payments(context).made()).isZero();
    }

    @Tag("variant")
    @Test
    void aKeyIsRequiredWhereThePropertiesSaySo() {
        ConfigurableApplicationContext context = start("--store.idempotency.required-paths=/payments,/orders/**");
        HttpResponse<String> without = post(context, "/payments", null);
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.body()).contains("needs the header Idempotency-Key");
        assertThat(post(context, "/payments/async", null).statusCode()).isEqualTo(200);
        assertThat(post(context, "/payments", "key").statusCode()).isEqualTo(201);
    }

    /** Starts an application whose clients are known by a header. */
    private ConfigurableApplicationContext startWithOwners(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--store.idempotency.enabled=true",
                "--store.path=" + folder.resolve("payments.db"),
                "--server.address=127.0.0.1",
                "--server.port=0",
                WITHOUT_DATA_SOURCE));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(PaymentsApplication.class)
                .initializers(created -> created.getBeanFactory()
                        .registerSingleton("owner", (RequestOwner) request -> request.getHeader("X-Api-Key")))
                .run(arguments.toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    /** Otherwise whoever guesses a key gets the answer to somebody else's request. */
    @Test
    void keysOfDifferentOwnersAreIndependent() {
        ConfigurableApplicationContext context = startWithOwners();
        String first = send(request(context, "/payments", "key").header("X-Api-Key", "ann"))
                .body();
        assertThat(send(request(context, "/payments", "key").header("X-Api-Key", "bob"))
                        .body())
                .isNotEqualTo(first);
        assertThat(send(request(context, "/payments", "key").header("X-Api-Key", "ann"))
                        .body())
                .isEqualTo(first);
        assertThat(payments(context).made()).isEqualTo(2);
    }

    /** So that nobody can fill the disk, and those without a login take no room of the others. */
    @Test
    void theSizeOfAllAnswersIsLimited() {
        ConfigurableApplicationContext context =
                startWithOwners("--store.idempotency.max-anonymous-size=2KB", "--store.idempotency.paths=/payments/**");
        int kept = 0;
        HttpResponse<String> answer = post(context, "/payments", "key" + kept);
        while (answer.statusCode() == 201 && kept < 100) {
            kept++;
            answer = post(context, "/payments", "key" + kept);
        }
        assertThat(kept).isBetween(2, 20);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains("no room");
        assertThat(payments(context).made()).isEqualTo(kept);
        assertThat(send(request(context, "/payments", "key").header("X-Api-Key", "ann"))
                        .statusCode())
                .isEqualTo(201);
    }

    /** So that nobody who is logged in takes the room of all others. */
    @Test
    void theSizeOfTheAnswersToOneOwnerIsLimited() {
        ConfigurableApplicationContext context = startWithOwners("--store.idempotency.max-owner-size=1KB");
        int kept = 0;
        HttpResponse<String> first = send(request(context, "/payments", "key0").header("X-Api-Key", "ann"));
        HttpResponse<String> answer = first;
        while (answer.statusCode() == 201 && kept < 100) {
            kept++;
            answer = send(request(context, "/payments", "key" + kept).header("X-Api-Key", "ann"));
        }
        assertThat(kept).isBetween(2, 20);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(send(request(context, "/payments", "key0").header("X-Api-Key", "ann"))
                        .body())
                .isEqualTo(first.body());
        assertThat(payments(context).made()).isEqualTo(kept);
        assertThat(send(request(context, "/payments", "key0").header("X-Api-Key", "bob"))
                        .statusCode())
                .isEqualTo(201);
    }

    @Tag("variant")
    @Test
    void keysCountOnlyWhereThePropertiesSaySo() {
        ConfigurableApplicationContext context = start("--store.idempotency.paths=/orders/**");
        post(context, "/payments", "key");
        post(context, "/payments", "key");
        assertThat(payments(context).made()).isEqualTo(2);
    }

    @Test
    void keysAreStoredAsHashes() {
        ConfigurableApplicationContext context = shared();
        post(context, "/payments", "my-key");
        assertThat(context.getBean(Store.class)
                        .scope(IdempotencyFilter.ANONYMOUS_SCOPE)
                        .group(IdempotencyFilter.GROUP)
                        .keys())
                .singleElement()
                .asString()
                .matches("[0-9a-f]{64}");
    }
}
