package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.example.payments.PaymentsApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartFile;

import static java.util.Objects.requireNonNull;

/** A whole application, and a client that sends it requests with keys. The test classes that are extended with it share it. */
final class ExchangeServer implements BeforeAllCallback, BeforeEachCallback {

    static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static final AtomicInteger KEYS = new AtomicInteger();

    private static @Nullable ConfigurableApplicationContext context;

    @Override
    public void beforeAll(ExtensionContext tests) {
        context = tests.getRoot()
                .getStore(ExtensionContext.Namespace.create(ExchangeServer.class))
                .computeIfAbsent("application", any -> new Started(run()), Started.class)
                .context();
    }

    private record Started(ConfigurableApplicationContext context) implements AutoCloseable {

        @Override
        public void close() {
            context.close();
        }
    }

    private static ConfigurableApplicationContext run() {
        return new SpringApplicationBuilder(PaymentsApplication.class, RawServlets.class, Pages.class, Uploads.class)
                .run(
                        "--store.in-memory=true",
                        "--store.idempotency.enabled=true",
                        "--store.idempotency.max-answer-size=100KB",
                        "--store.idempotency.statuses=418",
                        "--spring.web.error.include-message=always",
                        "--spring.servlet.multipart.max-file-size=1KB",
                        "--server.tomcat.max-http-response-header-size=200KB",
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        servlets().forget();
    }

    static RawServlets servlets() {
        return requireNonNull(context).getBean(RawServlets.class);
    }

    /** For pages of two other origins. */
    @RestController
    @RequestMapping("/pages")
    @CrossOrigin(
            origins = {"https://a.example", "https://b.example"},
            exposedHeaders = "Retry-After")
    static class Pages {

        @PostMapping("/order")
        ResponseEntity<String> order(@RequestParam(name = "never", required = false) @Nullable String never) {
            return ResponseEntity.status(201)
                    .header("X-Request-Id", "of the first request")
                    .header("X-RateLimit-Remaining", "7")
                    .header("X-Order", "1")
                    .body("ordered");
        }

        @PostMapping("/plain")
        String plain() {
            return "answered";
        }

        @PostMapping("/upload")
        String upload(@RequestParam("file") MultipartFile file) {
            return file.getSize() + " bytes";
        }
    }

    /** Answers in the application's own words. */
    @RestControllerAdvice
    static class Uploads {

        @ExceptionHandler(MaxUploadSizeExceededException.class)
        ResponseEntity<String> tooLarge() {
            return ResponseEntity.status(422).body("Smaller files, please");
        }
    }

    static String newKey() {
        return "key-" + KEYS.incrementAndGet();
    }

    static HttpRequest.Builder request(String path, @Nullable String key) {
        String port = requireNonNull(requireNonNull(context).getEnvironment().getProperty("local.server.port"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString("a=b&c=d"));
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static HttpResponse<String> post(String path, @Nullable String key) {
        return send(request(path, key));
    }

    static HttpRequest.Builder form(String path, @Nullable String key, String body) {
        return request(path, key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    /** What a client sees, beside the time and how the body was cut into pieces. */
    static Map<String, Object> seen(HttpResponse<String> answer) {
        Map<String, Object> seen = new LinkedHashMap<>(answer.headers().map());
        for (String name : List.of(
                "date", "content-length", "transfer-encoding", "connection", "keep-alive", "idempotency-replayed")) {
            seen.remove(name);
        }
        seen.put("status", answer.statusCode());
        seen.put("body", answer.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""));
        return seen;
    }
}
