package dev.ttlstore.sample;

import java.io.Serial;

import org.springframework.http.HttpStatus;

/** Thrown if too many live pages are open, or the application is stopping. */
final class TooManyStreamsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String detail;

    private TooManyStreamsException(HttpStatus status, String detail) {
        super(detail);
        this.status = status;
        this.detail = detail;
    }

    static TooManyStreamsException inAll() {
        return new TooManyStreamsException(HttpStatus.SERVICE_UNAVAILABLE, "Too many live pages are open. Try later.");
    }

    static TooManyStreamsException ofOneClient(int limit) {
        return new TooManyStreamsException(
                HttpStatus.TOO_MANY_REQUESTS, "A client may have " + limit + " live pages open. Close one of yours.");
    }

    HttpStatus status() {
        return status;
    }

    String detail() {
        return detail;
    }
}
