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
import java.util.stream.Stream;

import org.example.payments.Payments;
import org.example.payments.PaymentsApplication;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static java.util.Objects.requireNonNull;

/** A whole application that makes payments, and a client that sends it requests with keys. */
final class PaymentsServer implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    private PaymentsServer(SpringApplicationBuilder application, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--store.idempotency.enabled=true",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        arguments.addAll(more);
        this.context = application.run(arguments.toArray(String[]::new));
    }

    /** Starts an application with its store in a folder, and with one more bean. */
    static PaymentsServer inFile(Path folder, String beanName, Object bean, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of(
                        "--store.path=" + folder.resolve("payments.db"),
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
        arguments.addAll(List.of(more));
        return new PaymentsServer(
                new SpringApplicationBuilder(PaymentsApplication.class)
                        .initializers(created -> created.getBeanFactory().registerSingleton(beanName, bean)),
                arguments);
    }

    static PaymentsServer onPostgreSql(String schema) {
        return new PaymentsServer(
                new SpringApplicationBuilder(PaymentsApplication.class),
                Stream.of(TestDatabase.properties(schema))
                        .map(property -> "--" + property)
                        .toList());
    }

    @Override
    public void close() {
        context.close();
    }

    /** Removes all entries and payments. */
    void clear() {
        long unused = store().deletePrefix("");
        payments().clear();
    }

    Store store() {
        return context.getBean(Store.class);
    }

    Payments payments() {
        return context.getBean(Payments.class);
    }

    /** Returns how many payments were made. */
    int made() {
        return payments().made();
    }

    HttpRequest.Builder request(String path, @Nullable String key) {
        String port = requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("10 EUR"));
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    HttpResponse<String> post(String path, @Nullable String key) {
        return send(request(path, key));
    }

    CompletableFuture<HttpResponse<String>> postLater(String path, String key) {
        return CLIENT.sendAsync(request(path, key).build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
