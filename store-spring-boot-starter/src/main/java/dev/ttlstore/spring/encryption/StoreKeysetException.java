package dev.ttlstore.spring.encryption;

import java.io.Serial;

import dev.ttlstore.exception.StoreException;

/** A keyset is missing, cannot be read or written, or cannot encrypt values. The message never tells of its keys. */
public final class StoreKeysetException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String location;

    /**
     * Creates the exception. There is no cause: what reads a keyset may quote it.
     *
     * @param location where the keyset is, or was to be
     * @param problem what has happened, without a full stop
     * @param remedy what to do about it, without a full stop
     */
    public StoreKeysetException(String location, String problem, String remedy) {
        super(problem, remedy, null);
        this.location = location;
    }

    /**
     * Where the keyset is, or was to be.
     *
     * @return a path, or a location as it was configured
     */
    public String location() {
        return location;
    }
}
