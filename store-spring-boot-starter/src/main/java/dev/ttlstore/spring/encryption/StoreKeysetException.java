package dev.ttlstore.spring.encryption;

import java.io.Serial;

import dev.ttlstore.exception.StoreException;

/**
 * Thrown if a keyset is missing, cannot be read or written, or cannot encrypt values. The message contains no keys.
 *
 * @since 0.1
 * @see StoreKeyset
 */
public final class StoreKeysetException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String location;

    /**
     * Creates the exception. It has no cause, because the parser of a keyset may quote its keys.
     *
     * @param location the location of the keyset
     * @param problem what has happened, without a full stop
     * @param remedy what to do, without a full stop
     */
    public StoreKeysetException(String location, String problem, String remedy) {
        super(problem, remedy, null);
        this.location = location;
    }

    /**
     * Returns the location of the keyset.
     *
     * @return a path, or a location as configured
     */
    public String location() {
        return location;
    }
}
