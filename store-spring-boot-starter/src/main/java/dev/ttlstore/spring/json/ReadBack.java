package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares values with what a mapper has read of their JSON. Objects are equal if their class is the same, and their state, whether or
 * not it has {@code equals}; lists, sets and maps if their elements are, in whatever class; JSON nodes if they stand for the same JSON.
 * Other objects are compared by {@code equals} where their class defines it. Thread-safe.
 */
public final class ReadBack {

    /** What can be done if a value does not come back. */
    public static final String REMEDY =
            "Declare types that say what the value consists of, such as a record or Map<String, Long>"
                    + " instead of Object, a subclass or an interface; name classes in the JSON with @JsonTypeInfo; or use a codec of your own";

    private final JsonTypes types;

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
        return new Comparison().compare("", written, read);
    }

    /** One comparison. Pairs that it has begun to compare are not compared again, so cycles end. */
    private final class Comparison {

        private final Map<Object, Set<Object>> begun = new IdentityHashMap<>();

        @Nullable
        String compare(String path, @Nullable Object written, @Nullable Object read) {
            if (written == read) {
                return null;
            } else if (written == null || read == null) {
                return different(path, written, read);
            } else if (written instanceof JsonNode node) {
                return read instanceof JsonNode other && node.equals(ReadBack::compareNumbers, other)
                        ? null
                        : different(path, written, read);
            } else if (!isContainer(written) && written.getClass() != read.getClass()) {
                return different(path, written, read);
            }
            boolean isNew = begun.computeIfAbsent(written, each -> Collections.newSetFromMap(new IdentityHashMap<>()))
                    .add(read);
            return isNew ? compareParts(path, written, read) : null;
        }

        private @Nullable String compareParts(String path, Object written, Object read) {
            if (written instanceof Map<?, ?> map) {
                return read instanceof Map<?, ?> other ? compareMaps(path, map, other) : different(path, written, read);
            } else if (written instanceof Set<?> set) {
                return read instanceof Set<?> other ? compareSets(path, set, other) : different(path, written, read);
            } else if (written instanceof Collection<?> some) {
                return read instanceof Collection<?> other && !(other instanceof Set) && isList(some) == isList(other)
                        ? compareInOrder(path, some, other)
                        : different(path, written, read);
            } else if (written instanceof Object[] array) {
                return read instanceof Object[] other
                        ? compareInOrder(path, Arrays.asList(array), Arrays.asList(other))
                        : different(path, written, read);
            } else if (written instanceof Optional<?> some && read instanceof Optional<?> other) {
                return compare(path, some.orElse(null), other.orElse(null));
            }
            Optional<BeanState> state = types.state(written.getClass());
            if (state.isPresent() && !state.get().fields().isEmpty()) {
                return compareFields(path, state.get().fields(), written, read);
            }
            return isEqual(written, read) ? null : different(path, written, read);
        }

        private @Nullable String compareInOrder(String path, Collection<?> written, Collection<?> read) {
            if (written.size() != read.size()) {
                return different(path, written, read);
            }
            Iterator<?> others = read.iterator();
            for (Object each : written) {
                String difference = compare(path + "[]", each, others.next());
                if (difference != null) {
                    return difference;
                }
            }
            return compareOwnFields(path, written, read);
        }

        private @Nullable String compareSets(String path, Set<?> written, Set<?> read) {
            if (written.size() != read.size()) {
                return different(path, written, read);
            }
            for (Object each : written) {
                String difference = read.contains(each) ? null : compareWithSome(path + "[]", each, read);
                if (difference != null) {
                    return difference;
                }
            }
            return compareOwnFields(path, written, read);
        }

        /** Compares an element of a set, whose class may not define equals, with each element of the other set. */
        private @Nullable String compareWithSome(String path, @Nullable Object written, Set<?> read) {
            String difference = null;
            for (Object each : read) {
                String other = new Comparison().compare(path, written, each);
                if (other == null) {
                    return null;
                }
                difference = other;
            }
            return difference;
        }

        private @Nullable String compareMaps(String path, Map<?, ?> written, Map<?, ?> read) {
            if (written.size() != read.size()) {
                return different(path, written, read);
            }
            for (Map.Entry<?, ?> each : written.entrySet()) {
                if (!read.containsKey(each.getKey())) {
                    Object other = read.keySet().iterator().next();
                    return different(path + "[]", each.getKey(), other) + ", as a key";
                }
                String difference = compare(path + "[]", each.getValue(), read.get(each.getKey()));
                if (difference != null) {
                    return difference;
                }
            }
            return compareOwnFields(path, written, read);
        }

        /** Compares what a collection of the application has beside its elements. */
        private @Nullable String compareOwnFields(String path, Object written, Object read) {
            if (written.getClass() != read.getClass()) {
                return null; // it is one of Java's now, by the type that was declared
            }
            Class<?> each = written.getClass();
            List<Field> own = new ArrayList<>();
            for (; each != null && !JavaClasses.contain(each); each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    if (LeftOut.isState(field) && field.trySetAccessible()) {
                        own.add(field);
                    }
                }
            }
            return compareFields(path, own, written, read);
        }

        private @Nullable String compareFields(String path, List<Field> fields, Object written, Object read) {
            for (Field field : fields) {
                String name = path.isEmpty() ? field.getName() : path + "." + field.getName();
                String difference = compare(name, value(field, written), value(field, read));
                if (difference != null) {
                    return difference;
                }
            }
            return null;
        }
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The field '" + field.getName() + "' was made accessible", e);
        }
    }

    private static boolean isContainer(Object value) {
        return value instanceof Map || value instanceof Collection;
    }

    private static boolean isList(Collection<?> values) {
        return values instanceof List;
    }

    private static boolean isEqual(Object written, Object read) {
        if (written.getClass().isArray()) {
            return Objects.deepEquals(written, read);
        }
        // Two URLs are equal if their hosts resolve to the same address, which takes time.
        return written instanceof URL
                ? written.toString().equals(read.toString())
                : !hasEquals(written) || written.equals(read);
    }

    private static boolean hasEquals(Object value) {
        try {
            return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Each object has equals", e);
        }
    }

    /** Numbers of JSON are equal by their value, whatever node holds them. */
    private static int compareNumbers(JsonNode one, JsonNode other) {
        if (one.equals(other)) {
            return 0;
        }
        Optional<BigDecimal> number = one.decimalValueOpt();
        Optional<BigDecimal> second = other.decimalValueOpt();
        return one.isNumber() && other.isNumber() && number.isPresent() && second.isPresent()
                ? number.get().compareTo(second.get())
                : 1;
    }

    private static String different(String path, @Nullable Object written, @Nullable Object read) {
        String place = path.isEmpty() ? "" : "at '" + path + "' ";
        if (written != null && read != null && written.getClass() == read.getClass()) {
            return place + "a " + written.getClass().getTypeName() + " would not be equal";
        }
        return place + (written == null ? "null" : "a " + written.getClass().getTypeName()) + " would become "
                + (read == null ? "null" : "a " + read.getClass().getTypeName());
    }
}
