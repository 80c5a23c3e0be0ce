package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.util.List;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JavaType;

/**
 * The state of a class that the mapper writes and reads property by property.
 *
 * @param isClosed whether each part comes back if its type is closed; otherwise values have to be compared
 * @param fields the fields that hold the state, accessible
 * @param parts the types of the properties
 */
record BeanState(boolean isClosed, List<Field> fields, List<JavaType> parts) {

    /** Returns the value of a field, which is accessible. */
    static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The field '" + field.getName() + "' was made accessible", e);
        }
    }
}
