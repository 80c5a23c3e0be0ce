package dev.ttlstore.exception;

import java.io.Serial;

/**
 * An encoded value is larger than the store accepts. Nothing was written.
 *
 * @since 0.1
 * @see StoreException
 */
public final class ValueTooLargeException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long size;
    private final long maxSize;

    /**
     * Creates the exception.
     *
     * @param group the full name of the value's group
     * @param size the size of the encoded value, in bytes
     * @param maxSize the largest size that the store accepts, in bytes
     */
    public ValueTooLargeException(String group, long size, long maxSize) {
        super("A value of " + size + " bytes for group '" + group + "' is larger than the " + maxSize
                + " bytes that the store accepts; store less, or raise 'maxValueSize', in the starter"
                + " 'store.max-value-size'");
        this.size = size;
        this.maxSize = maxSize;
    }

    /**
     * Returns the size of the refused value.
     *
     * @return the size of the encoded value, in bytes
     */
    public long size() {
        return size;
    }

    /**
     * Returns the largest size that the store accepts.
     *
     * @return the size of an encoded value, in bytes
     */
    public long maxSize() {
        return maxSize;
    }
}
