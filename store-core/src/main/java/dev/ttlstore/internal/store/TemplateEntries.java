package dev.ttlstore.internal.store;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

import com.samskivert.mustache.Mustache;

/**
 * The entries of a group by the names that a template has for them. A map in its place would also offer its own
 * methods.
 *
 * @param strict whether a missing entry is an error
 */
record TemplateEntries(Map<String, String> values, boolean strict) implements Mustache.CustomContext {

    private static final String PAIRS = "-entries";
    private static final String KEY = "-key";
    private static final String VALUE = "-value";
    private static final Pairs NOTHING = new Pairs(Map.of());

    @Override
    public @Nullable Object get(String name) {
        if (name.equals(PAIRS)) {
            return new Pairs(values);
        }
        String value = values.get(name);
        return value == null && name.startsWith(".") ? afterDot(name) : value;
    }

    /** Always has a result, because JMustache would take a leading dot for a path and look up the name before it. */
    private Object afterDot(String name) {
        String key = withoutDot(name);
        String value = values.get(key);
        if (value == null && strict) {
            throw new NoSuchElementException(key);
        }
        return value == null ? NOTHING : value;
    }

    /** {@return the key that a name stands for if no entry has the name itself as its key} */
    static String withoutDot(String name) {
        return name.startsWith(".") ? name.substring(1) : name;
    }

    /** The result for a template that asks for all entries at once. */
    @Override
    public String toString() {
        return "";
    }

    /** What a section walks over. Without pairs, it is nothing to a variable and to a section. */
    private record Pairs(Map<String, String> values) implements Iterable<Pair> {

        @Override
        public Iterator<Pair> iterator() {
            return values.entrySet().stream()
                    .map(entry -> new Pair(entry.getKey(), entry.getValue()))
                    .iterator();
        }

        @Override
        public String toString() {
            return "";
        }
    }

    /** A pair within such a section. Other names are those of the group. */
    private record Pair(String key, String value) implements Mustache.CustomContext {

        @Override
        public @Nullable Object get(String name) {
            return switch (name) {
                case KEY -> key;
                case VALUE -> value;
                default -> null;
            };
        }

        @Override
        public String toString() {
            return "";
        }
    }
}
