package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;

/**
 * Compares values with those that a mapper reads from their JSON. Objects are equal if they have the same class and
 * the same state, with or without {@code equals}. Lists, sets and maps are equal if their elements are, in any class.
 * JSON nodes are equal if they stand for the same JSON. Other objects are compared by {@code equals} where their class
 * defines it. Thread-safe.
 *
 * @since 0.1
 * @see JacksonCodecFactory
 */
public final class ReadBack {

    /** What can be done if a value does not come back. */
    public static final String REMEDY =
            "Declare types that say what the value consists of, such as a record or Map<String, Long>"
                    + " instead of Object, a subclass or an interface; name classes in the JSON with @JsonTypeInfo; or use a codec of your own";

    private final JsonTypes types;

    private final ClassValue<ComparedClass> classes = new ClassValue<>() {
        @Override
        protected ComparedClass computeValue(Class<?> type) {
            return ComparedClass.of(type, fields(type));
        }
    };

    /**
     * Creates a comparison.
     *
     * @param mapper the mapper that has written and read the values
     */
    public ReadBack(JsonMapper mapper) {
        this(new JsonTypes(mapper));
    }

    ReadBack(JsonTypes types) {
        this.types = types;
    }

    /**
     * Compares two values.
     *
     * @param written the value that was written
     * @param read what was read
     * @return the first difference, as a path of properties and the classes on both sides, without values; null if there is none
     * @throws dev.ttlstore.exception.CodecException if the value has state that the mapper does not see
     */
    public @Nullable String difference(@Nullable Object written, @Nullable Object read) {
        Difference difference = new Comparison(classes::get).compare(written, read);
        return difference == null ? null : difference.toString();
    }

    private List<Field> fields(Class<?> type) {
        return Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type)
                ? ComparedClass.ownFields(type)
                : types.state(type).map(BeanState::fields).orElse(List.of());
    }
}
