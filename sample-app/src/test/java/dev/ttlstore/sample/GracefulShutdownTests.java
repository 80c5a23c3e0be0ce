package dev.ttlstore.sample;

import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

import dev.ttlstore.Store;
import dev.ttlstore.event.EntryPut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class GracefulShutdownTests {

    @TempDir
    private Path folder;

    @Tag("slow")
    @Test
    void aRequestThatWritesWhileTheApplicationStopsIsAnsweredAndItsSecretKept() throws Exception {
        Path file = folder.resolve("store.db");
        ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class, SlowWrite.class)
                .run("--server.port=0", "--server.address=127.0.0.1", "--store.path=" + file);
        SlowWrite write = context.getBean(SlowWrite.class);
        Visitor client = new Visitor(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        // Without its body: Tomcat may close the connection before the mark that ends a body of unknown length.
        CompletableFuture<HttpResponse<InputStream>> request = CompletableFuture.supplyAsync(() -> client.send(
                client.request("/api/teams/acme/secrets")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"value\": \"hunter2\", \"ttl\": \"PT10M\"}")),
                BodyHandlers.ofInputStream()));
        write.begun.await();
        CompletableFuture<Void> stop = CompletableFuture.runAsync(context::close);
        write.stopping.await();
        write.mayEnd.countDown();
        assertThat(request.join().statusCode()).isEqualTo(201);
        stop.join();
        try (Store store = Store.open(file)) {
            assertThat(store.scope("acme").group("secrets").count()).isOne();
        }
    }

    @Test
    @Tag("slow")
    void anOpenLivePageDoesNotHoldUpTheStop() {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--store.in-memory=true",
                        "--store.encryption.keyset=");
        Visitor visitor = new Visitor(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        HttpResponse<InputStream> page =
                visitor.send(visitor.request("/teams/acme/events"), BodyHandlers.ofInputStream());
        assertThat(page.statusCode()).isEqualTo(200);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            context.close();
            page.body().readAllBytes();
        });
    }

    /** Holds up the first write, which returns only when listeners have been told of it, until the test lets it go. */
    static class SlowWrite {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @EventListener
        void onPut(EntryPut put) throws InterruptedException {
            begun.countDown();
            mayEnd.await();
        }

        @EventListener
        void onStop(ContextClosedEvent event) {
            stopping.countDown();
        }
    }
}
