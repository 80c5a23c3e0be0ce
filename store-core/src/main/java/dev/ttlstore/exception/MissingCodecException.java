package dev.ttlstore.exception;

import java.io.Serial;

/** There is no codec for a class, so its values cannot be stored. */
public final class MissingCodecException extends CodecException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Class<?> type;

    /**
     * Creates the exception.
     *
     * @param type the class of the values
     */
    public MissingCodecException(Class<?> type) {
        super(
                "There is no codec for " + type.getName(),
                "Give the group a codec of its own, or the store's builder a factory with codecs(…)");
        this.type = type;
    }

    /**
     * Returns the class without a codec.
     *
     * @return the class of the values
     */
    public Class<?> type() {
        return type;
    }
}
