package dev.ttlstore.sample;

import java.io.Serial;

/** Thrown if there are too many teams that are not declared. Nothing was stored. */
final class TooManyTeamsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;
}
