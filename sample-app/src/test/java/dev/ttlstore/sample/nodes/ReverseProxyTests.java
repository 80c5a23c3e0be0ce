package dev.ttlstore.sample.nodes;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.util.HttpString;

import static org.assertj.core.api.Assertions.assertThat;

/** What the tests with three nodes rely on. */
@Timeout(30)
@Tag("slow")
class ReverseProxyTests {

    private static final int ROUNDS = 4;

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger answered = new AtomicInteger();
    private final Undertow good = node(exchange -> {
        answered.incrementAndGet();
        exchange.getResponseSender()
                .send(exchange.getRequestHeaders().get("X-Forwarded-For").toString());
    });

    @AfterEach
    void stop() {
        good.stop();
    }

    private static Undertow node(HttpHandler handler) {
        Undertow node = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(handler)
                .build();
        node.start();
        return node;
    }

    private static int port(Undertow node) {
        return ((InetSocketAddress) node.getListenerInfo().get(0).getAddress()).getPort();
    }

    private static int portOfNobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private HttpResponse<String> send(ReverseProxy proxy, String method) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + proxy.port() + "/"))
                        .header("X-Forwarded-For", "192.0.2.1")
                        .method(
                                method,
                                method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("body"))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void whatADeadNodeDoesNotAcceptAnotherGetsAndNoClientPretendsToBeAnother() throws Exception {
        try (ReverseProxy proxy = ReverseProxy.start(0, List.of(portOfNobody(), port(good)))) {
            for (int i = 0; i < ROUNDS; i++) {
                HttpResponse<String> answer = send(proxy, "POST");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("[127.0.0.1]");
            }
        }
    }

    @Test
    void aPostThatWasSentIsNotSentAgainAndAGetIs() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        Undertow dying = node(exchange -> {
            sent.incrementAndGet();
            exchange.getConnection().close();
        });
        try (ReverseProxy proxy = ReverseProxy.start(0, List.of(port(dying), port(good)))) {
            List<Integer> statuses = List.of(
                    send(proxy, "POST").statusCode(), send(proxy, "POST").statusCode());
            assertThat(statuses).containsExactlyInAnyOrder(200, 503);
            assertThat(List.of(sent.get(), answered.get())).containsExactly(1, 1);
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(send(proxy, "GET").statusCode()).isEqualTo(200);
            }
            assertThat(answered).hasValue(1 + ROUNDS);
        } finally {
            dying.stop();
        }
    }

    @Test
    void eventsArriveWhenTheyAreSent() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Undertow streaming = node(new BlockingHandler(exchange -> {
            exchange.getResponseHeaders().put(new HttpString("Content-Type"), "text/event-stream");
            exchange.getOutputStream().write("first".getBytes(StandardCharsets.US_ASCII));
            exchange.getOutputStream().flush();
            seen.await();
            exchange.getOutputStream().write("second".getBytes(StandardCharsets.US_ASCII));
        }));
        try (ReverseProxy proxy = ReverseProxy.start(0, List.of(port(streaming)))) {
            HttpResponse<InputStream> stream = client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + proxy.port() + "/"))
                            .build(),
                    BodyHandlers.ofInputStream());
            assertThat(stream.body().readNBytes(5)).asString().isEqualTo("first");
            seen.countDown();
            assertThat(stream.body().readAllBytes()).asString().isEqualTo("second");
        } finally {
            streaming.stop();
        }
    }
}
