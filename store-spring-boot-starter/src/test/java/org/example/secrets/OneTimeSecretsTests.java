package org.example.secrets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The application of the README does what the README says. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class OneTimeSecretsTests {

    private static final String SECRET = "{\"from\": \"ann\", \"text\": \"the launch code is 0000\"}";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private ConfigurableApplicationContext application;

    @BeforeEach
    void start() {
        application = SpringApplication.run(
                OneTimeSecrets.class,
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--store.path=" + folder.resolve("store.db"),
                "--spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private HttpRequest.Builder request(String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> add(String query) throws Exception {
        return send(request("/secrets" + query)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(SECRET)));
    }

    private HttpResponse<String> take(String key) throws Exception {
        return send(request("/secrets/" + key + "/take").POST(BodyPublishers.noBody()));
    }

    @Test
    void aSecretIsSeenAndTakenOnce() throws Exception {
        String key = add("").body();
        assertThat(send(request("/secrets/" + key)).body()).isEqualTo("ann");
        assertThat(take(key).body()).contains("the launch code is 0000");
        assertThat(take(key).statusCode()).isEqualTo(404);
        assertThat(send(request("/secrets/" + key)).statusCode()).isEqualTo(404);
    }

    @Test
    void aSecretThatExpiresIsReported(CapturedOutput output) throws Exception {
        add("?ttl=PT0.01S");
        await().until(() -> output.getOut().contains("A secret of ann expired unread"));
    }

    @Test
    void aTeamHasAQuota() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertThat(add("").statusCode()).isEqualTo(200);
        }
        HttpResponse<String> refused = add("");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("100 unread secrets");
    }

    @Test
    void changesAreStreamed() throws Exception {
        try (BufferedReader changes = new BufferedReader(new InputStreamReader(
                http.send(request("/changes").build(), BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            // The answer has begun, but perhaps not the watch: the first secret that it sees begins the list.
            await().until(() -> {
                add("");
                return changes.ready();
            });
            take(add("").body());
            add("?ttl=PT0.01S");
            assertThat(until(changes, "EntryExpired")).contains("data: EntryPut", "data: EntryDeleted");
        }
    }

    private static List<String> until(BufferedReader changes, String last) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String line = changes.readLine(); line != null; line = changes.readLine()) {
            seen.add(line);
            if (line.endsWith(last)) {
                break;
            }
        }
        return seen;
    }
}
