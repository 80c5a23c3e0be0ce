package dev.ttlstore.sample;

import java.io.Serial;
import java.time.Duration;

/** Thrown if a client asks for secrets too often. Nothing was looked up. */
final class TooManyAttemptsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int limit;
    private final Duration retryAfter;

    TooManyAttemptsException(int limit, Duration retryAfter) {
        super("More than " + limit + " attempts in a minute");
        this.limit = limit;
        this.retryAfter = retryAfter;
    }

    int limit() {
        return limit;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
