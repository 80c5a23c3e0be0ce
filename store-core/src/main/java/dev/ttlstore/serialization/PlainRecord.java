package dev.ttlstore.serialization;

import java.io.Serial;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;

/**
 * Stands for a record whose class is not Serializable: its components by name. As with Java's own serialization of records, the
 * constructor is called, components that the class no longer has are left out, and those that are missing are null, zero or false.
 */
@SuppressWarnings("serial") // what is no value is refused when it is written
final class PlainRecord implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Class<?> type;
    private final String[] names;
    private final @Nullable Object[] values;

    private PlainRecord(Class<?> type, String[] names, @Nullable Object[] values) {
        this.type = type;
        this.names = names;
        this.values = values;
    }

    /** Tests whether an object is such a record. */
    static boolean isOne(Object value) {
        return value.getClass().isRecord() && !(value instanceof Serializable);
    }

    static PlainRecord of(Object value) {
        RecordComponent[] components = value.getClass().getRecordComponents();
        String[] names = new String[components.length];
        @Nullable Object[] values = new Object[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                names[i] = components[i].getName();
                // The field, because its accessor may be of the application, and return something else.
                Field field = value.getClass().getDeclaredField(names[i]);
                field.setAccessible(true);
                values[i] = field.get(value);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Each component of a record has a field", e);
        }
        return new PlainRecord(value.getClass(), names, values);
    }

    /**
     * Creates the record.
     *
     * @throws CodecException if its class has changed, or its constructor refuses the components
     */
    Object restore() {
        Map<String, Object> stored = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            stored.put(names[i], values[i]);
        }
        if (!type.isRecord()) {
            throw failure("it is no record any more");
        }
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        @Nullable Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object value = stored.get(components[i].getName());
            arguments[i] = value == null && types[i].isPrimitive() ? zero(types[i]) : value;
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException
                | IllegalArgumentException e) { // without the cause, which may have values
            throw failure(e.getClass().getName());
        }
    }

    private static Object zero(Class<?> primitive) {
        return Array.get(Array.newInstance(primitive, 1), 0);
    }

    private CodecException failure(String reason) {
        return new CodecException("A record of " + type.getName()
                + " cannot be made of its stored components, because its class has changed: " + reason);
    }
}
