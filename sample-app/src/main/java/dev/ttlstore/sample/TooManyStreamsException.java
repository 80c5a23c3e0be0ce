package dev.ttlstore.sample;

import java.io.Serial;

/** There are as many live pages as may be, or the application is about to stop. */
final class TooManyStreamsException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;
}
