package dev.ttlstore.spring.autoconfigure;

import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Applies values of properties.
 *
 * @since 0.1
 * @see StoreProperties
 */
public final class PropertyValue {

    private PropertyValue() {}

    /**
     * Applies a value, or leaves the default if it is null.
     *
     * @param <T> the type of the value
     * @param property the name of the property
     * @param value its value
     * @param setter takes the value
     * @throws InvalidConfigurationPropertyValueException if the setter refuses the value
     */
    public static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        boolean unused = apply(property, value, given -> {
            setter.accept(given);
            return true;
        });
    }

    /**
     * Applies a value.
     *
     * @param <T> the type of the value
     * @param <R> the type of the result
     * @param property the name of the property
     * @param value its value
     * @param function takes the value
     * @return the result of the function
     * @throws InvalidConfigurationPropertyValueException if the function refuses the value
     */
    public static <T, R> R apply(String property, T value, Function<T, R> function) {
        try {
            return function.apply(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage(), e);
        }
    }
}
