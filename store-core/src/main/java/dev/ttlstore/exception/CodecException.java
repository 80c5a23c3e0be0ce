package dev.ttlstore.exception;

import java.io.Serial;

/**
 * A value could not be encoded or decoded, or there is no codec for a class (a {@link MissingCodecException}).
 *
 * @since 0.1
 * @see StoreException
 */
public sealed class CodecException extends StoreException permits MissingCodecException {

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

    CodecException(String problem, String remedy) {
        super(problem, remedy, null);
    }
}
