package dev.ttlstore.serialization;

import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;

/** Stands for an optional, which is not Serializable. Records may have optional components. */
@SuppressWarnings("serial") // what is no value is refused when it is written
final class PlainOptional implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The first letter of what it is an optional of: O, I, L or D. */
    private final char kind;

    private final @Nullable Object value;

    private PlainOptional(char kind, @Nullable Object value) {
        this.kind = kind;
        this.value = value;
    }

    /** Returns what stands for an object; null if it is no optional. */
    static @Nullable PlainOptional of(Object object) {
        if (object instanceof Optional<?> some) {
            return new PlainOptional('O', some.orElse(null));
        } else if (object instanceof OptionalInt some) {
            return new PlainOptional('I', some.isPresent() ? some.getAsInt() : null);
        } else if (object instanceof OptionalLong some) {
            return new PlainOptional('L', some.isPresent() ? some.getAsLong() : null);
        } else if (object instanceof OptionalDouble some) {
            return new PlainOptional('D', some.isPresent() ? some.getAsDouble() : null);
        }
        return null;
    }

    /**
     * Creates the optional.
     *
     * @throws CodecException if the bytes contradict themselves
     */
    Object restore() {
        try {
            return switch (kind) {
                case 'O' -> Optional.ofNullable(value);
                case 'I' -> value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
                case 'L' -> value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
                case 'D' -> value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value);
                default -> throw new ClassCastException();
            };
        } catch (ClassCastException e) { // without the cause, which may have the value
            throw new CodecException("An optional cannot be made of its stored value");
        }
    }
}
