package org.example.secrets;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.spring.documents.PageCommands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The application of the README does what the README says. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class OneTimeSecretsTests {

    private static final String SECRET = "{\"from\": \"ann\", \"text\": \"the launch code is 0000\"}";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                OneTimeSecrets.class,
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--store.path=" + folder.resolve("store.db"),
                "--spring.autoconfigure.exclude="
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private String port() {
        return application.getEnvironment().getRequiredProperty("local.server.port");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String add() throws Exception {
        return send(request("/secrets")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(SECRET)))
                .body();
    }

    private HttpResponse<String> take(String key) throws Exception {
        return send(request("/secrets/" + key + "/take").POST(BodyPublishers.noBody()));
    }

    @Test
    void aSecretIsTakenOnce() throws Exception {
        String key = add();
        assertThat(take(key).body()).contains("the launch code is 0000");
        assertThat(take(key).statusCode()).isEqualTo(404);
    }

    @Test
    void aSecretThatExpiresIsReported(CapturedOutput output) throws Exception {
        String key = add();
        assertThat(application
                        .getBean(Store.class)
                        .group("secrets", OneTimeSecrets.Secret.class)
                        .expireNow(key))
                .isTrue();
        await().until(() -> output.getOut().contains("Expired unread: a secret from ann"));
        assertThat(take(key).statusCode()).isEqualTo(404);
    }

    @Test
    void theCommandsOfThePageDoWhatItSays() throws Exception {
        assertThat(PageCommands.run(Path.of("..", "README.md"), port(), folder))
                .startsWith("{\"from\":\"ann\",\"text\":\"hunter2\"}")
                .contains("HTTP/1.1 404");
    }
}
