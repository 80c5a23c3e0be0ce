package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.math.BigDecimal;
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
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** One comparison. Deep down, pairs that it has begun to compare are not compared again, so that cycles end. */
final class Comparison {

    private static final int CERTAINLY_DEEP = 100;

    private static final String ELEMENT = "[]";
    private static final String KEY = "[key]";
    private static final String ORDER = "[order]";

    private final Function<Class<?>, ComparedClass> classes;

    private final IdentityHashMap<Object, Set<Object>> begun = new IdentityHashMap<>();
    private int depth;

    /**
     * Begins a comparison.
     *
     * @param classes says how objects of a class are compared
     */
    Comparison(Function<Class<?>, ComparedClass> classes) {
        this.classes = classes;
    }

    @Nullable
    Difference compare(@Nullable Object written, @Nullable Object read) {
        if (written == read) {
            return null;
        } else if (written == null || read == null) {
            return new Difference(written, read);
        } else if (written instanceof JsonNode node) {
            return read instanceof JsonNode other && node.equals(Comparison::compareNumbers, other)
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
            return read instanceof Map.Entry<?, ?> other ? compareEntries(entry, other) : new Difference(written, read);
        } else if (written instanceof Optional<?> some && read instanceof Optional<?> other) {
            return compare(some.orElse(null), other.orElse(null));
        }
        if (written instanceof AtomicReference<?> some && read instanceof AtomicReference<?> other) {
            return compare(some.get(), other.get());
        }
        ComparedClass compared = classes.apply(written.getClass());
        if (written instanceof Throwable thrown && read instanceof Throwable other) {
            Difference difference = compareThrown(thrown, other);
            if (difference != null) {
                return difference;
            }
        }
        if (!compared.fields().isEmpty()) {
            return compareFields(compared.fields(), written, read);
        }
        return compared.isEqual(written, read) ? null : new Difference(written, read);
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
                return new Difference(each.getKey(), read.keySet().iterator().next()).within(KEY);
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
                : compareFields(classes.apply(type).fields(), written, read);
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
}
