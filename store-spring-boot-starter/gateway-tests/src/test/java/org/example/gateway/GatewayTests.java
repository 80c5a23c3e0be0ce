package org.example.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.cloud.gateway.filter.ratelimit.Bucket4jRateLimiter;
import org.springframework.context.ConfigurableApplicationContext;

import com.sun.net.httpserver.HttpServer;

import dev.ttlstore.Store;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Real gateways, whose limits are in the store. Meanwhile, BlockHound looks for whatever blocks an event loop. */
@SuppressWarnings("NullAway.Init") // the server is started before the tests
class GatewayTests {

    private static final int LIMIT = 100;

    /** The example of the page, as a file. */
    private static final Pattern EXAMPLE = Pattern.compile("```properties\\n(spring\\.cloud\\..*?)```", Pattern.DOTALL);

    private static final String NO_DATABASE =
            "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static final AtomicReference<BlockingOperationError> BLOCKED = new AtomicReference<>();

    private static HttpServer orders;

    @TempDir
    private Path folder;

    @BeforeAll
    static void findWhatBlocks() {
        BlockHound.builder()
                .loadIntegrations()
                .markAsBlocking("org.sqlite.core.NativeDB", "step", "(J)I") // it waits for the disk, in native code
                .blockingMethodCallback(method -> {
                    BlockingOperationError error = new BlockingOperationError(method);
                    BLOCKED.compareAndSet(null, error);
                    throw error;
                })
                .install();
        try (Store store = Store.inMemory()) {
            assertThat(isCaught(() -> store.group("any").put("a", "b"))).isTrue();
        }
        BLOCKED.set(null);
    }

    private static boolean isCaught(Runnable call) {
        try {
            Mono.fromRunnable(call).subscribeOn(Schedulers.parallel()).block(Duration.ofMinutes(1));
            return false;
        } catch (Throwable e) {
            return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
                    .anyMatch(BlockingOperationError.class::isInstance);
        }
    }

    @BeforeAll
    static void startServer() throws IOException {
        orders = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        orders.createContext("/orders", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        orders.start();
    }

    @AfterAll
    static void stopServer() {
        orders.stop(0);
    }

    @AfterEach
    void nothingHasBlockedAnEventLoop() {
        assertThat(BLOCKED.get()).isNull();
    }

    private ConfigurableApplicationContext start(String... properties) throws IOException {
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/rate-limits.md")));
        assertThat(example.find()).isTrue();
        Path file = Files.writeString(folder.resolve("application.properties"), example.group(1));
        return new SpringApplicationBuilder(GatewayApplication.class)
                .properties(
                        "spring.config.location=" + file.toUri(),
                        "store.rate-limits.enabled=true",
                        "orders.uri=http://localhost:" + orders.getAddress().getPort(),
                        "spring.reactor.netty.shutdown-quiet-period=0s",
                        "server.address=127.0.0.1",
                        "server.port=0")
                .properties(properties)
                .run();
    }

    private static HttpResponse<Void> call(ConfigurableApplicationContext gateway, String... client)
            throws IOException, InterruptedException {
        int port = Objects.requireNonNull(((WebServerApplicationContext) gateway).getWebServer())
                .getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/1"));
        Stream.of(client).forEach(name -> request.header("X-Client", name));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.discarding());
    }

    private static void assertLimited(ConfigurableApplicationContext gateway, String client) throws Exception {
        HttpResponse<Void> refused = call(gateway, client);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("X-RateLimit-Remaining")).contains("0");
    }

    @Test
    void aLimitOutlivesARestartAndIsThatOfTheProxyManager() throws Exception {
        Path file = folder.resolve("store.db");
        try (ConfigurableApplicationContext gateway = start("store.path=" + file, NO_DATABASE)) {
            assertThat(gateway.getBean(Bucket4jRateLimiter.class)).isNotNull();
            for (int i = LIMIT - 1; i >= 0; i--) {
                HttpResponse<Void> allowed = call(gateway, "ann");
                assertThat(allowed.statusCode()).isEqualTo(204);
                assertThat(allowed.headers().firstValue("X-RateLimit-Remaining"))
                        .contains(String.valueOf(i));
            }
            assertLimited(gateway, "ann");
            assertThat(call(gateway, "bob").statusCode()).isEqualTo(204);
            assertThat(call(gateway).statusCode()).isEqualTo(403);
            @SuppressWarnings("unchecked")
            ProxyManager<String> buckets = gateway.getBean(ProxyManager.class);
            BucketConfiguration any = buckets.getProxyConfiguration("bob").orElseThrow();
            assertThat(buckets.builder().build("ann", () -> any).tryConsume(1)).isFalse();
            assertThat(buckets.builder().build("bob", () -> any).getAvailableTokens())
                    .isEqualTo(LIMIT - 1);
        }
        try (ConfigurableApplicationContext gateway = start("store.path=" + file, NO_DATABASE)) {
            assertLimited(gateway, "ann");
            gateway.getBean(Store.class).close();
            assertThat(call(gateway, "bob").statusCode()).isEqualTo(429);
        }
    }

    @Tag("postgresql")
    @Tag("variant")
    @Test
    void gatewaysOnOneDatabaseShareALimit() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            String[] properties = {
                "store.engine=postgresql",
                "spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"),
                "spring.datasource.hikari.minimum-idle=0"
            };
            try (ConfigurableApplicationContext one = start(properties);
                    ConfigurableApplicationContext other = start(properties)) {
                for (int i = 0; i < LIMIT; i++) {
                    assertThat(call(i % 2 == 0 ? one : other, "ann").statusCode())
                            .isEqualTo(204);
                }
                assertLimited(one, "ann");
                assertLimited(other, "ann");
            }
        }
    }
}
