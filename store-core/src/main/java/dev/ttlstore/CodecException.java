package dev.ttlstore;

import java.io.Serial;

/** A value could not be turned into bytes, or bytes not into a value, or there is no codec for a type. */
public final class CodecException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what could not be done, without the value, and the remedy
     */
    public CodecException(String message) {
        super(message);
    }
}
