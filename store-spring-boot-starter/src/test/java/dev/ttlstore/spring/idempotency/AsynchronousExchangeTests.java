package dev.ttlstore.spring.idempotency;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;

import static dev.ttlstore.spring.idempotency.ExchangeServer.CLIENT;
import static dev.ttlstore.spring.idempotency.ExchangeServer.newKey;
import static dev.ttlstore.spring.idempotency.ExchangeServer.post;
import static dev.ttlstore.spring.idempotency.ExchangeServer.request;
import static dev.ttlstore.spring.idempotency.ExchangeServer.servlets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The end of an asynchronous answer ends its request. */
@ExtendWith(ExchangeServer.class)
class AsynchronousExchangeTests {

    @ParameterizedTest
    @ValueSource(strings = {"/raw/async", "/raw/async-plain"})
    void anAsynchronousAnswerIsStoredWhenItIsComplete(String path) throws Exception {
        String key = newKey();
        CompletableFuture<HttpResponse<String>> first =
                CLIENT.sendAsync(request(path, key).build(), BodyHandlers.ofString());
        AsyncContext running = servlets().started();
        HttpResponse<String> beside = post(path, key);
        assertThat(beside.statusCode()).isEqualTo(409);
        assertThat(first.isDone()).isFalse();
        running.getResponse().setContentType("text/plain");
        running.getResponse().getWriter().print("at last");
        running.complete();
        assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("at last");
        assertThat(post(path, key).body()).isEqualTo("at last");
        assertThat(servlets().calls()).isEqualTo(1);
    }

    @Test
    void anAsynchronousAnswerThatFailsFreesItsKey() throws Exception {
        String key = newKey();
        for (int i = 1; i <= 2; i++) {
            CompletableFuture<HttpResponse<String>> failing =
                    CLIENT.sendAsync(request("/raw/async", key).build(), BodyHandlers.ofString());
            AsyncContext running = servlets().started();
            ((HttpServletResponse) running.getResponse()).sendError(500);
            running.complete();
            assertThat(failing.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
            assertThat(servlets().calls()).isEqualTo(i);
        }
    }

    /** The container sends its error page before it says that the request is over, so the key can be taken for a moment longer. */
    @ParameterizedTest
    @ValueSource(strings = {"/raw/timeout", "/raw/later-and-later"})
    void anAsynchronousAnswerThatNeverComesFreesItsKey(String path) {
        String key = newKey();
        assertThat(post(path, key).statusCode()).isEqualTo(500);
        int calls = servlets().calls();
        await().until(() -> post(path, key).statusCode() == 500);
        assertThat(servlets().calls()).isEqualTo(2 * calls);
    }

    @Test
    void listenersOfTheApplicationHearOfTheEndOnce() {
        String key = newKey();
        int before = RawServlets.Completed.ALL.get();
        assertThat(post("/raw/context", key).body())
                .isEqualTo(post("/raw/context", key).body());
        await().until(() -> RawServlets.Completed.ALL.get() > before);
        assertThat(RawServlets.Completed.ALL).hasValue(before + 1);
        assertThat(servlets().calls()).isEqualTo(1);
    }
}
