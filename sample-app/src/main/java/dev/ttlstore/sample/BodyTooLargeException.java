package dev.ttlstore.sample;

import java.io.Serial;

import org.springframework.util.unit.DataSize;

/** A request has a body that is too large. Nothing of it was used. */
final class BodyTooLargeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    BodyTooLargeException(DataSize limit) {
        super("The body must be at most " + limit.toKilobytes() + " KB.");
    }
}
