package dev.ttlstore.sample;

import java.io.Serial;

/** Thrown if there is no secret for a key: it was used, has expired, or never existed. Callers are not told which. */
final class NoSuchSecretException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;
}
