package dev.ttlstore.sample;

import java.io.Serial;

/** There is no secret under the key: it was used, has expired, or never was. Nobody is told which. */
final class NoSuchSecretException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;
}
