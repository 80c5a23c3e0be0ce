package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import jakarta.servlet.http.HttpServletResponse;

/** Refusals, as problem details (RFC 9457). None quotes the request. */
enum Problems {
    MISSING(
            HttpStatus.BAD_REQUEST,
            "This request needs the header Idempotency-Key, with a text that the client makes up, such as a UUID"),
    MALFORMED(
            HttpStatus.BAD_REQUEST,
            "The header Idempotency-Key must be there once, with 1 to 255 visible ASCII characters, in quotation marks or without"),
    RUNNING(HttpStatus.CONFLICT, "A request with this Idempotency-Key is running; send this one again later", 1),
    ANOTHER_REQUEST(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "This Idempotency-Key belongs to another request; use a new key for each request"),
    NOT_KEPT(
            HttpStatus.CONFLICT,
            "The request with this Idempotency-Key was answered, but its answer could not be kept"),
    FULL(
            HttpStatus.SERVICE_UNAVAILABLE,
            "There is no room now to keep the answer to a request with an Idempotency-Key; nothing was done",
            60);

    private final HttpStatus status;
    private final String detail;

    /** After how many seconds it is worth trying again; zero if never. */
    private final int retryAfter;

    Problems(HttpStatus status, String detail) {
        this(status, detail, 0);
    }

    Problems(HttpStatus status, String detail, int retryAfter) {
        this.status = status;
        this.detail = detail;
        this.retryAfter = retryAfter;
    }

    void send(HttpServletResponse response) throws IOException {
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        if (retryAfter > 0) {
            response.setIntHeader("Retry-After", retryAfter);
        }
        String body = "{\"status\":" + status.value() + ",\"title\":\"" + status.getReasonPhrase() + "\",\"detail\":\""
                + detail + "\"}";
        response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
}
