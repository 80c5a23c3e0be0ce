package dev.ttlstore.sample.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

import dev.ttlstore.sample.SampleApplication;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SlowClient;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens without the classes that harden the sample. Each is switched off here to show the harm that it prevents;
 * that it prevents it is in the other tests of this package.
 */
@Tag("slow")
class HardeningTests {

    private static final int THREADS = 4;
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int TRIES = 100;

    @TempDir
    private Path folder;

    /** Leaves out classes that would be found otherwise. */
    private static final class Without extends TypeExcludeFilter {

        private final Set<String> classes;

        Without(Class<?> off) {
            this.classes = Set.of(off.getName());
        }

        @Override
        public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
            return classes.contains(reader.getClassMetadata().getClassName());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Without without && classes.equals(without.classes);
        }

        @Override
        public int hashCode() {
            return classes.hashCode();
        }
    }

    private ConfigurableApplicationContext startWithout(Class<?> off, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(properties));
        arguments.add("--store.path=" + folder.resolve("store.db"));
        arguments.add("--server.port=0");
        arguments.add("--server.address=127.0.0.1");
        arguments.add("--server.shutdown=immediate");
        arguments.add("--server.tomcat.threads.max=" + THREADS);
        return new SpringApplicationBuilder(SampleApplication.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("hardeningTests", new Without(off)))
                .run(arguments.toArray(String[]::new));
    }

    private static int port(ConfigurableApplicationContext sample) {
        return requireNonNull(((WebServerApplicationContext) sample).getWebServer())
                .getPort();
    }

    private static SampleClient client(ConfigurableApplicationContext sample) {
        return new SampleClient(port(sample));
    }

    @Test
    void withoutAnswerHeadersAPageMayBeFramedAndASecretCached() {
        try (ConfigurableApplicationContext sample = startWithout(AnswerHeaders.class)) {
            Answer page = client(sample).get("/");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.header("Content-Security-Policy")).isEmpty();
            assertThat(page.header("X-Frame-Options")).isEmpty();
            Answer revealed = client(sample).reveal(client(sample).kept("acme", "hunter2", "PT1M"));
            assertThat(revealed.header("Cache-Control")).isEmpty();
        }
    }

    @Test
    void withoutJsonOnlyASecretIsUsedUpThatNobodyGetsToSee() {
        try (ConfigurableApplicationContext sample = startWithout(JsonOnly.class)) {
            String location = client(sample).kept("acme", "hunter2", "PT1M");
            Answer unacceptable = client(sample).post(location + "/reveal", "", "Accept", "image/png");
            assertThat(unacceptable.response().body()).doesNotContain("hunter2");
            assertThat(client(sample).reveal(location).status()).isEqualTo(404);
        }
    }

    @Test
    void withoutStrictJsonASecretHasNoPassphraseThatItsSenderBelievesItHas() {
        try (ConfigurableApplicationContext sample = startWithout(StrictJson.class)) {
            Answer kept = client(sample)
                    .post(
                            "/api/teams/acme/secrets",
                            "{\"value\": true, \"ttl\": \"PT1M\", \"passPhrase\": \"swordfish\"}");
            assertThat(kept.status()).isEqualTo(201);
            assertThat(client(sample)
                            .reveal(kept.header("Location"))
                            .body()
                            .get("value")
                            .asString())
                    .isEqualTo("true");
        }
    }

    @Test
    void withoutBodyLimitSlowBodiesOccupyAllThreadsAndLargeOnesMemory() throws Exception {
        try (ConfigurableApplicationContext sample = startWithout(BodyLimit.class)) {
            Answer large =
                    client(sample).post("/api/teams/acme/secrets", "{\"value\": \"" + "x".repeat(5_000_000) + "\"}");
            assertThat(large.status()).isEqualTo(400); // after all of it was read
            assertThat(large.response().body()).contains("must be at most 65536 characters");
            assertThat(answersBesideSlowOnes(sample, "/api/teams/acme/secrets")).isFalse();
        }
    }

    /** The limit of uploads is off if it is higher than the number of threads. */
    @Test
    void withoutUploadsSlowBodiesOccupyAllThreadsUntilTheirTimeIsUp() throws Exception {
        try (ConfigurableApplicationContext sample = startWithout(getClass())) {
            assertThat(answersBesideSlowOnes(sample, "/api/teams/acme/secrets")).isFalse();
        }
        try (ConfigurableApplicationContext sample = startWithout(getClass(), "--secrets.uploads=" + (THREADS - 1))) {
            assertThat(answersBesideSlowOnes(sample, "/api/teams/acme/secrets")).isTrue();
        }
    }

    @Test
    void withoutUnreadBodiesSlowBodiesThatAreRefusedOccupyAllThreads() throws Exception {
        try (ConfigurableApplicationContext sample = startWithout(UnreadBodies.class)) {
            assertThat(answersBesideSlowOnes(sample, "/%2e%2e")).isFalse();
        }
    }

    private static boolean answersBesideSlowOnes(ConfigurableApplicationContext sample, String path)
            throws IOException {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        List<SlowClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < THREADS; i++) {
                slow.add(SlowClient.begin(port(sample), path, "application/json"));
            }
            ScheduledFuture<?> dripping = SlowClient.drip(timer, slow);
            boolean answers = true;
            for (int i = 0; answers && i < TRIES; i++) { // at first, the server may not have begun with all of them
                answers = answers(port(sample));
            }
            assertThat(dripping.cancel(false)).isTrue(); // it has not failed
            return answers;
        } finally {
            timer.shutdownNow();
            for (SlowClient client : slow) {
                client.close();
            }
        }
    }

    private static boolean answers(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET /api/teams/acme/usage HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
