package dev.ttlstore.exception;

import java.io.Serial;

/** A value is larger, once encoded, than the store accepts. Nothing has been written. */
public final class ValueTooLargeException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long size;
    private final long maxSize;

    /**
     * Creates the exception.
     *
     * @param group the full name of the group that the value was meant for
     * @param size the size of the encoded value, in bytes
     * @param maxSize the largest size that the store accepts, in bytes
     */
    public ValueTooLargeException(String group, long size, long maxSize) {
        super("A value of " + size + " bytes for group '" + group + "' is larger than the " + maxSize
                + " bytes that the store accepts; store less, or raise 'maxValueSize'");
        this.size = size;
        this.maxSize = maxSize;
    }

    /**
     * The size of the value that was refused.
     *
     * @return bytes, once encoded
     */
    public long size() {
        return size;
    }

    /**
     * The largest size that the store accepts.
     *
     * @return bytes, once encoded
     */
    public long maxSize() {
        return maxSize;
    }
}
