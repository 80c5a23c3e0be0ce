package dev.ttlstore.sample;

import java.io.Serial;

/** There are as many teams of names made up as may be. Nothing was stored. */
final class TooManyTeamsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;
}
