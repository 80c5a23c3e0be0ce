package dev.ttlstore.spring.benchmark;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.example.payments.PaymentsApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static java.util.Objects.requireNonNull;

/** POST requests by HTTP, with the filter and without it. */
final class IdempotencyRaces implements AutoCloseable {

    private static final String ENABLED = "--store.idempotency.enabled=true";
    private static final String WITHOUT_DATABASE =
            "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private final Map<Side, URI> targets = new EnumMap<>(Side.class);

    IdempotencyRaces(Bench bench) {
        start(Side.WITHOUT, "--store.path=" + bench.folder().path().resolve("without.db"), WITHOUT_DATABASE);
        start(Side.FILE, ENABLED, "--store.path=" + bench.folder().path().resolve("answers.db"), WITHOUT_DATABASE);
        start(
                Side.POSTGRESQL,
                ENABLED,
                "--store.engine=postgresql",
                "--store.postgresql.schema=answers",
                "--spring.datasource.url=" + bench.database().url(),
                "--spring.datasource.username=postgres");
    }

    private void start(Side side, String... arguments) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(PaymentsApplication.class)
                .run(Stream.concat(
                                Stream.of(
                                        "--server.address=127.0.0.1",
                                        "--server.port=0",
                                        "--spring.main.banner-mode=off",
                                        "--logging.level.root=warn"),
                                Stream.of(arguments))
                        .toArray(String[]::new));
        contexts.add(context);
        String port = requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        targets.put(side, URI.create("http://127.0.0.1:" + port + "/payments"));
    }

    List<Race> all() {
        Race fresh = new Race("POST with a new key", 1);
        Race together = new Race("POST with a new key, 8 threads", 8);
        Race again = new Race("POST that is repeated", 1);
        targets.forEach((side, target) -> {
            fresh.add(side, () -> post(target, () -> UUID.randomUUID().toString()));
            together.add(side, () -> post(target, () -> UUID.randomUUID().toString()));
            again.add(side, () -> post(target, () -> "the-same"));
        });
        return List.of(fresh, together, again);
    }

    private void post(URI target, Supplier<String> key) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(target)
                .header("Content-Type", "text/plain")
                .header("Idempotency-Key", key.get())
                .POST(BodyPublishers.ofString("10 EUR"))
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        Race.require(answer.statusCode() == 201, "status " + answer.statusCode());
    }

    @Override
    public void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }
}
