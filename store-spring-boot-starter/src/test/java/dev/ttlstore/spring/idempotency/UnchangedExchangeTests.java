package dev.ttlstore.spring.idempotency;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponseWrapper;

import static dev.ttlstore.spring.idempotency.ExchangeServer.CLIENT;
import static dev.ttlstore.spring.idempotency.ExchangeServer.newKey;
import static dev.ttlstore.spring.idempotency.ExchangeServer.post;
import static dev.ttlstore.spring.idempotency.ExchangeServer.request;
import static dev.ttlstore.spring.idempotency.ExchangeServer.seen;
import static dev.ttlstore.spring.idempotency.ExchangeServer.send;
import static dev.ttlstore.spring.idempotency.ExchangeServer.servlets;
import static org.assertj.core.api.Assertions.assertThat;

/** A request with a key reaches the application, and its answer the client, as without one. */
@ExtendWith(ExchangeServer.class)
class UnchangedExchangeTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/raw/body",
                "/raw/reader",
                "/raw/redirect",
                "/raw/permanent",
                "/raw/error",
                "/raw/teapot",
                "/raw/partial",
                "/raw/moved",
                "/raw/cleared",
                "/raw/reset",
                "/raw/kept-writer",
                "/raw/late-type",
                "/raw/closed",
                "/raw/closed-stream",
                "/raw/forwarded",
                "/raw/forwarded-error",
                "/raw/included",
                "/raw/buffer",
                "/raw/late-error",
                "/raw/writer",
                "/raw/utf-8",
                "/raw/marked",
                "/raw/long-header",
                "/raw/empty",
                "/raw/early",
                "/raw/late",
                "/raw/after-the-end",
                "/raw/buffer-size",
                "/raw/context",
                "/raw/dispatched",
                "/raw/dispatched-there",
                "/raw/dispatched-back",
                "/raw/read-without-blocking",
                "/pages/plain"
            })
    void anAnswerIsSentAsWithoutAKeyAndRepeatedSo(String path) {
        String key = newKey();
        Map<String, Object> plain = seen(post(path, null));
        HttpResponse<String> first = post(path, key);
        HttpResponse<String> second = post(path, key);
        assertThat(seen(first)).isEqualTo(plain);
        assertThat(seen(second)).isEqualTo(plain);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotency-Replayed")).isPresent();
    }

    /** The servlet does what a container refuses, each in its own words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/raw/both",
                "/raw/both-reversed",
                "/raw/late-buffer-size",
                "/raw/stream-and-reader",
                "/raw/reader-and-stream"
            })
    void whatTheContainerRefusesIsRefusedWithAKey(String path) {
        assertThat(post(path, null).statusCode()).isEqualTo(500);
        assertThat(post(path, newKey()).statusCode()).isEqualTo(500);
    }

    /** Trailers are not held back: nothing of them is sent before the body. */
    @Test
    void everythingThatChangesAResponseIsHeldBack() throws NoSuchMethodException {
        for (Class<?> wrapper : List.of(ServletResponseWrapper.class, HttpServletResponseWrapper.class)) {
            for (Method method : wrapper.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && method.getReturnType() == void.class
                        && !Set.of("setResponse", "setTrailerFields").contains(method.getName())) {
                    assertThat(HeldResponse.class.getMethod(method.getName(), method.getParameterTypes()))
                            .extracting(Method::getDeclaringClass)
                            .isIn(HeldResponse.class, ResponseHead.class);
                }
            }
        }
    }

    @Test
    void anUploadThatIsTooLargeIsAnsweredByTheApplication() {
        for (String key : new String[] {null, newKey()}) {
            HttpResponse<String> answer = send(request("/pages/upload", key)
                    .header("Content-Type", "multipart/form-data; boundary=x")
                    .POST(BodyPublishers.ofString(
                            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                                    + "a".repeat(5_000) + "\r\n--x--\r\n")));
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).isEqualTo("Smaller files, please");
        }
    }

    /** Its client must not wait for the end, which may never come. */
    @Test
    void aStreamIsSentAsItComes() throws Exception {
        String key = newKey();
        HttpResponse<InputStream> answer =
                CLIENT.send(request("/raw/stream", key).build(), BodyHandlers.ofInputStream());
        try (InputStream stream = answer.body()) {
            assertThat(stream.readNBytes(7)).asString().isEqualTo("data: 1");
            assertThat(post("/raw/stream", key).statusCode()).isEqualTo(409);
            servlets().goOn();
            assertThat(stream.readAllBytes()).asString().endsWith("data: 2\n\n");
        }
        assertThat(post("/raw/stream", key).body()).contains("could not be kept");
        assertThat(servlets().calls()).isEqualTo(1);
    }

    @Test
    void anAnswerThatIsTooLargeIsSentButNotKept() {
        String key = newKey();
        assertThat(post("/raw/large", key).body()).hasSize(1_000_000);
        HttpResponse<String> second = post("/raw/large", key);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("could not be kept");
        assertThat(servlets().calls()).isEqualTo(1);
    }

    /** It depends on the room in the connection, so it is not held back. */
    @Test
    void anAnswerThatIsWrittenWithoutBlockingIsSentButNotKept() {
        String key = newKey();
        assertThat(post("/raw/written-without-blocking", key).body()).isEqualTo("jihgfedcba");
        assertThat(post("/raw/written-without-blocking", key).body()).contains("could not be kept");
        assertThat(servlets().calls()).isEqualTo(1);
    }

    /** Otherwise whoever asks for nonsense fills the disk. */
    @Test
    void anAnswerThatSaysThatNothingIsThereIsNotKept() {
        String key = newKey();
        for (int i = 1; i <= 2; i++) {
            assertThat(post("/raw/missing", key).statusCode()).isEqualTo(404);
            assertThat(servlets().calls()).isEqualTo(i);
        }
    }

    @Test
    void headersOfARequestAreNotRepeated() {
        String key = newKey();
        HttpResponse<String> first = send(request("/pages/order", key).header("Origin", "https://a.example"));
        HttpResponse<String> second = send(request("/pages/order", key).header("Origin", "https://b.example"));
        assertThat(first.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://a.example");
        assertThat(second.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://b.example");
        assertThat(second.headers().firstValue("X-Order")).hasValue("1");
        assertThat(first.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(second.headers().firstValue("X-Request-Id")).isEmpty();
        assertThat(second.headers().firstValue("X-RateLimit-Remaining")).isEmpty();
        assertThat(second.body()).isEqualTo("ordered");
    }

    /** A browser shows scripts nothing else. */
    @Test
    void pagesOfOtherOriginsCanReadRefusals() {
        String key = newKey();
        assertThat(send(request("/pages/order", key).header("Origin", "https://a.example"))
                        .statusCode())
                .isEqualTo(201);
        HttpResponse<String> refused = send(request("/pages/order?other", key).header("Origin", "https://a.example"));
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://a.example");
        assertThat(refused.headers().firstValue("Access-Control-Expose-Headers"))
                .hasValue("Retry-After");
        HttpResponse<String> foreign = send(request("/pages/order", key).header("Origin", "https://evil.example"));
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.body()).doesNotContain("ordered");
    }
}
