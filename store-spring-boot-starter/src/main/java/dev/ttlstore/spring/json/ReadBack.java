package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

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

    private static final String ELEMENT = "[]";
    private static final String KEY = "[key]";
    private static final String ORDER = "[order]";

    private final JsonTypes types;

    private final ClassValue<Kind> kinds = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return kind(type);
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
        Difference difference = new Comparison().compare(written, read);
        return difference == null ? null : difference.toString();
    }

    /** One comparison. Deep down, pairs that it has begun to compare are not compared again, so that cycles end. */
    private final class Comparison {

        private static final int CERTAINLY_DEEP = 100;

        private final IdentityHashMap<Object, Set<Object>> begun = new IdentityHashMap<>();
        private int depth;

        @Nullable
        Difference compare(@Nullable Object written, @Nullable Object read) {
            if (written == read) {
                return null;
            } else if (written == null || read == null) {
                return new Difference(written, read);
            } else if (written instanceof JsonNode node) {
                return read instanceof JsonNode other && node.equals(ReadBack::compareNumbers, other)
                        ? null
                        : new Difference(written, read);
            } else if (!isContainer(written) && written.getClass() != read.getClass()) {
                return new Difference(written, read);
            } else if (depth > CERTAINLY_DEEP && !begin(written, read)) {
                return null;
            }
            depth++;
            try {
                return compareParts(written, read);
            } finally {
                depth--;
            }
        }

        private boolean begin(Object written, Object read) {
            return begun.computeIfAbsent(written, each -> Collections.newSetFromMap(new IdentityHashMap<>()))
                    .add(read);
        }

        private @Nullable Difference compareParts(Object written, Object read) {
            if (written instanceof Map<?, ?> map) {
                return read instanceof Map<?, ?> other ? compareMaps(map, other) : new Difference(written, read);
            } else if (written instanceof Set<?> set) {
                return read instanceof Set<?> other ? compareSets(set, other) : new Difference(written, read);
            } else if (written instanceof Collection<?> some) {
                return read instanceof Collection<?> other && !(other instanceof Set) && isSame(some, other)
                        ? compareInOrder(some, other)
                        : new Difference(written, read);
            } else if (written instanceof Object[] array && read instanceof Object[] other) {
                return compareInOrder(Arrays.asList(array), Arrays.asList(other));
            } else if (written instanceof Map.Entry<?, ?> entry) {
                return read instanceof Map.Entry<?, ?> other
                        ? compareEntries(entry, other)
                        : new Difference(written, read);
            } else if (written instanceof Optional<?> some && read instanceof Optional<?> other) {
                return compare(some.orElse(null), other.orElse(null));
            }
            if (written instanceof AtomicReference<?> some && read instanceof AtomicReference<?> other) {
                return compare(some.get(), other.get());
            }
            Kind kind = kinds.get(written.getClass());
            if (written instanceof Throwable thrown && read instanceof Throwable other) {
                Difference difference = compareThrown(thrown, other);
                if (difference != null) {
                    return difference;
                }
            }
            if (!kind.fields().isEmpty()) {
                return compareFields(kind.fields(), written, read);
            }
            return isEqual(kind, written, read) ? null : new Difference(written, read);
        }

        private @Nullable Difference compareThrown(Throwable written, Throwable read) {
            Difference difference = compare(written.getCause(), read.getCause());
            return difference != null
                    ? difference.within("cause")
                    : Objects.equals(written.getMessage(), read.getMessage()) ? null : new Difference(written, read);
        }

        private @Nullable Difference compareEntries(Map.Entry<?, ?> written, Map.Entry<?, ?> read) {
            Difference difference = compare(written.getKey(), read.getKey());
            return difference == null ? compare(written.getValue(), read.getValue()) : difference.within(KEY);
        }

        private @Nullable Difference compareInOrder(Collection<?> written, Collection<?> read) {
            if (written.size() != read.size()) {
                return new Difference(written, read);
            }
            Iterator<?> others = read.iterator();
            for (Object each : written) {
                Difference difference = compare(each, others.next());
                if (difference != null) {
                    return difference.within(ELEMENT);
                }
            }
            return compareOwnFields(written, read);
        }

        private @Nullable Difference compareSets(Set<?> written, Set<?> read) {
            if (written.size() != read.size()) {
                return new Difference(written, read);
            }
            if (written instanceof SortedSet<?> set
                    && read instanceof SortedSet<?> other
                    && !isSameOrder(set.comparator(), other.comparator())) {
                return new Difference(set.comparator(), other.comparator()).within(ORDER);
            }
            for (Object each : written) {
                Difference difference = read.contains(each) ? null : compareWithSome(each, read);
                if (difference != null) {
                    return difference.within(ELEMENT);
                }
            }
            return compareOwnFields(written, read);
        }

        /** Compares an element of a set, whose class may not define equals, with each element of the other set. */
        private @Nullable Difference compareWithSome(@Nullable Object written, Set<?> read) {
            Difference difference = null;
            for (Object each : read) {
                Difference other = compare(written, each);
                if (other == null) {
                    return null;
                }
                difference = other;
            }
            return difference;
        }

        private @Nullable Difference compareMaps(Map<?, ?> written, Map<?, ?> read) {
            if (written.size() != read.size()) {
                return new Difference(written, read);
            }
            if (written instanceof SortedMap<?, ?> map
                    && read instanceof SortedMap<?, ?> other
                    && !isSameOrder(map.comparator(), other.comparator())) {
                return new Difference(map.comparator(), other.comparator()).within(ORDER);
            }
            for (Map.Entry<?, ?> each : written.entrySet()) {
                Object other = read.get(each.getKey());
                if (other == null && !read.containsKey(each.getKey())) {
                    return new Difference(
                                    each.getKey(), read.keySet().iterator().next())
                            .within(KEY);
                }
                Difference difference = compare(each.getValue(), other);
                if (difference != null) {
                    return difference.within(ELEMENT);
                }
            }
            return compareOwnFields(written, read);
        }

        /** Compares what a collection of the application has beside its elements. */
        private @Nullable Difference compareOwnFields(Object written, Object read) {
            Class<?> type = written.getClass();
            return type != read.getClass() || JavaClasses.contain(type)
                    ? null // it is one of Java's now, by the type that was declared
                    : compareFields(kinds.get(type).fields(), written, read);
        }

        private @Nullable Difference compareFields(List<Field> fields, Object written, Object read) {
            for (Field field : fields) {
                Difference difference = compare(BeanState.value(field, written), BeanState.value(field, read));
                if (difference != null) {
                    return difference.within(field.getName());
                }
            }
            return null;
        }
    }

    /**
     * How objects of a class are compared.
     *
     * @param fields the fields that hold their state; none if they are compared as a whole
     * @param hasEquals whether the class defines equals
     * @param hasText whether it is a class of Java that defines a text, other than that of an exception
     */
    private record Kind(List<Field> fields, boolean hasEquals, boolean hasText) {}

    private Kind kind(Class<?> type) {
        List<Field> fields = Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type)
                ? ownFields(type)
                : types.state(type).map(BeanState::fields).orElse(List.of());
        try {
            return new Kind(
                    fields,
                    type.getMethod("equals", Object.class).getDeclaringClass() != Object.class,
                    JavaClasses.contain(type)
                            && !Throwable.class.isAssignableFrom(type)
                            && type.getMethod("toString").getDeclaringClass() != Object.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Each object has equals and toString", e);
        }
    }

    private static List<Field> ownFields(Class<?> type) {
        List<Field> own = new ArrayList<>();
        for (Class<?> each = type; each != null && !JavaClasses.contain(each); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (LeftOut.isState(field) && field.trySetAccessible()) {
                    own.add(field);
                }
            }
        }
        return own;
    }

    private static boolean isContainer(Object value) {
        return value instanceof Map || value instanceof Collection || value instanceof Map.Entry;
    }

    private static boolean isSameOrder(@Nullable Comparator<?> written, @Nullable Comparator<?> read) {
        return isNatural(written) ? isNatural(read) : Objects.equals(written, read);
    }

    private static boolean isNatural(@Nullable Comparator<?> order) {
        return order == null || order.equals(Comparator.naturalOrder());
    }

    /** Tests whether both are lists, both are deques, or neither is a list. */
    private static boolean isSame(Collection<?> written, Collection<?> read) {
        return ((written instanceof List) == (read instanceof List))
                || (written instanceof Deque && read instanceof Deque);
    }

    private static boolean isEqual(Kind kind, Object written, Object read) {
        if (written.getClass().isArray()) {
            return Objects.deepEquals(written, read);
        }
        if (written instanceof Pattern pattern && read instanceof Pattern other && pattern.flags() != other.flags()) {
            return false;
        }
        // Two URLs are equal if their hosts resolve to the same address, which takes time. Others without equals say
        // what they are.
        boolean asText = written instanceof URL || (!kind.hasEquals() && kind.hasText());
        if (asText) {
            return written.toString().equals(read.toString());
        }
        return !kind.hasEquals() || written.equals(read);
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

    /** Where two values differ, and how. */
    private static final class Difference {

        private final String what;
        private final StringBuilder path = new StringBuilder();

        Difference(@Nullable Object written, @Nullable Object read) {
            this.what = written != null && read != null && written.getClass() == read.getClass()
                    ? name(written) + " would not be equal"
                    : name(written) + " would become " + name(read);
        }

        private static String name(@Nullable Object value) {
            return value == null ? "null" : "a " + value.getClass().getTypeName();
        }

        Difference within(String step) {
            path.insert(0, path.isEmpty() || path.charAt(0) == '[' ? step : step + ".");
            return this;
        }

        @Override
        public String toString() {
            return path.isEmpty() ? what : "at '" + JsonProblems.shortened(path) + "' " + what;
        }
    }
}
