package dev.ttlstore.spring.idempotency;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.spring.idempotency.ExchangeServer.form;
import static dev.ttlstore.spring.idempotency.ExchangeServer.newKey;
import static dev.ttlstore.spring.idempotency.ExchangeServer.post;
import static dev.ttlstore.spring.idempotency.ExchangeServer.request;
import static dev.ttlstore.spring.idempotency.ExchangeServer.send;
import static dev.ttlstore.spring.idempotency.ExchangeServer.servlets;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests with the same key are compared by what the application has read of the first one. */
@ExtendWith(ExchangeServer.class)
class ComparedRequestsTests {

    @Test
    void theBodyOfAFormCanBeReadAsItCame() {
        String key = newKey();
        for (int i = 0; i < 2; i++) {
            assertThat(send(form("/raw/body", key, "b=%20&a=1")).body()).isEqualTo("b=%20&a=1");
        }
        assertThat(send(form("/raw/body", key, "a=1&b=%20")).statusCode()).isEqualTo(422);
        assertThat(servlets().calls()).isEqualTo(1);
    }

    /** A container would refuse it only if somebody asked for the parameters. */
    @Test
    void aFormThatNobodyReadsMayBeMalformed() {
        String key = newKey();
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = send(form("/raw/ignored", key, "a=%zz"));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("called 1");
        }
        assertThat(send(form("/raw/ignored", key, "a=%yy")).statusCode()).isEqualTo(422);
    }

    /** Only a form is read by the container. */
    @Test
    void whatMerelyBeginsLikeAFormIsComparedByteByByte() {
        String key = newKey();
        HttpRequest.Builder first =
                request("/raw/body", key).header("Content-Type", "application/x-www-form-urlencoded2");
        assertThat(send(first).statusCode()).isEqualTo(200);
        HttpRequest.Builder other = request("/raw/body", key)
                .header("Content-Type", "application/x-www-form-urlencoded2")
                .POST(BodyPublishers.ofString("a=b&c=e"));
        assertThat(send(other).statusCode()).isEqualTo(422);
    }

    @Test
    void aRequestToAnotherHostIsAnotherRequest() {
        String key = newKey();
        assertThat(post("/raw/ignored", key).statusCode()).isEqualTo(200);
        HttpRequest.Builder other = HttpRequest.newBuilder(URI.create(
                        request("/raw/ignored", key).build().uri().toString().replace("127.0.0.1", "localhost")))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("a=b&c=d"));
        assertThat(send(other).statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/raw/body", "/raw/reader", "/raw/ignored", "/raw/read-without-blocking"})
    void aShorterOrLongerBodyIsAnother(String path) {
        String key = newKey();
        assertThat(post(path, key).statusCode()).isEqualTo(200);
        for (String other : List.of("a=b", "a=b&c=d&e=f")) {
            assertThat(send(request(path, key).POST(BodyPublishers.ofString(other)))
                            .statusCode())
                    .isEqualTo(422);
        }
        assertThat(post(path, key).statusCode()).isEqualTo(200);
        assertThat(servlets().calls()).isEqualTo(1);
    }

    /** What comes after cannot be read any more. */
    @Test
    void aBodyThatTheApplicationClosesIsComparedAsFarAsItWasRead() {
        String key = newKey();
        assertThat(post("/raw/closed-body", key).statusCode()).isEqualTo(200);
        assertThat(send(request("/raw/closed-body", key).POST(BodyPublishers.ofString("another")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(request("/raw/closed-body", key).POST(BodyPublishers.ofString("not that")))
                        .statusCode())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/raw/parameter", "/raw/parameters", "/raw/names", "/raw/values"})
    void aFormIsComparedByItsParametersHoweverTheyAreRead(String path) {
        String key = newKey();
        String answer = send(form(path, null, "a=1&b=%20")).body();
        for (String same : List.of("a=1&b=%20", "b=+&a=1")) {
            assertThat(send(form(path, key, same)).body()).isEqualTo(answer);
        }
        assertThat(send(form(path, key, "a=1&b=2")).statusCode()).isEqualTo(422);
    }

    private static HttpRequest.Builder upload(String key, String content) {
        return request("/raw/part", key)
                .header("Content-Type", "multipart/form-data; boundary=x")
                .POST(BodyPublishers.ofString(
                        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + content + "\r\n--x--\r\n"));
    }

    @Test
    void anUploadIsComparedByItsParts() {
        String key = newKey();
        for (int i = 0; i < 2; i++) {
            assertThat(send(upload(key, "content")).body()).isEqualTo("7");
        }
        assertThat(send(upload(key, "another")).statusCode()).isEqualTo(422);
        assertThat(post("/raw/part", key).statusCode()).isEqualTo(422);
    }
}
