package dev.ttlstore.exception;

import java.io.Serial;
import java.lang.reflect.Type;

/**
 * There is no codec for a type, so its values cannot be stored.
 *
 * @since 0.1
 * @see CodecException
 */
public final class MissingCodecException extends CodecException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Type type;

    /**
     * Creates the exception.
     *
     * @param type the type of the values
     */
    public MissingCodecException(Type type) {
        super(
                "There is no codec for " + type.getTypeName(),
                "Give the group a codec of its own, or the store's builder a factory with codecs(…)");
        this.type = type;
    }

    /**
     * Returns the type without a codec.
     *
     * @return the type of the values: a class or a generic type; null after the exception was serialized
     */
    public Type type() {
        return type;
    }
}
