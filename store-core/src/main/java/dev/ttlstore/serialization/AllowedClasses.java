package dev.ttlstore.serialization;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The classes that may be serialized and deserialized. Deserialization creates objects of whatever classes the bytes name, and some
 * classes do harm when they are created; so only those are allowed that hold values. Interfaces, enums, primitive types and arrays of
 * allowed classes are always allowed: the bytes decide nothing about them but which constant or how long. Immutable.
 *
 * <pre>{@code
 * AllowedClasses allowed = AllowedClasses.of(List.of("com.example.Price", "com.example.orders.*"));
 * }</pre>
 *
 * @since 0.1
 * @see JavaCodec
 */
public final class AllowedClasses {

    /** Names of single classes. */
    private final Set<String> names = new HashSet<>();

    /** Beginnings of names, with which the rest must be a name without a package. */
    private final List<String> packages = new ArrayList<>();

    /** Beginnings of names, with any rest. */
    private final List<String> beginnings = new ArrayList<>();

    private AllowedClasses() {}

    /**
     * Returns the classes of Java and Kotlin that are always allowed, apart from those that are allowed by the beginning of their name.
     *
     * @return the names of the classes
     */
    public static Set<String> ofJava() {
        return JavaValues.NAMES;
    }

    /**
     * Allows classes of Java and Kotlin that hold values, such as texts, numbers, times and collections, and further ones.
     *
     * @param patterns the further ones: names of classes; {@code com.example.*} for those of a package, {@code com.example.**} also for
     *     those below it
     * @return the allowed classes
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public static AllowedClasses of(Collection<String> patterns) {
        AllowedClasses allowed = new AllowedClasses();
        allowed.names.addAll(JavaValues.NAMES);
        allowed.beginnings.addAll(JavaValues.BEGINNINGS);
        for (String pattern : patterns) {
            require(pattern);
            allowed.add(pattern);
        }
        return allowed;
    }

    /** Accepts names and packages only: with less of a name, one could allow everything by accident. */
    private static void require(String pattern) {
        if (!pattern.matches("[\\w$]+(\\.[\\w$]+)*(\\.\\*\\*?)?")) {
            throw new IllegalArgumentException("'" + pattern
                    + "' must be the name of a class, or 'com.example.*' for the classes of a package, or"
                    + " 'com.example.**' also for those below it");
        }
    }

    private void add(String pattern) {
        if (pattern.endsWith(".**")) {
            beginnings.add(pattern.substring(0, pattern.length() - 2));
        } else if (pattern.endsWith(".*")) {
            packages.add(pattern.substring(0, pattern.length() - 1));
        } else {
            names.add(pattern);
        }
    }

    /**
     * Tests whether a class is allowed.
     *
     * @param type the class; an array is allowed if its elements are
     * @return whether it is
     */
    public boolean contains(Class<?> type) {
        Class<?> element = elementOf(type);
        return element.isPrimitive()
                || element.isInterface()
                || Enum.class.isAssignableFrom(element)
                || contains(element.getName());
    }

    private boolean contains(String name) {
        if (names.contains(name)) {
            return true;
        }
        for (String beginning : beginnings) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        for (String each : packages) {
            if (name.startsWith(each) && name.indexOf('.', each.length()) < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tests whether a class is allowed by its own name, and not only by that of its package.
     *
     * @param type the class; of an array, that of its elements counts
     * @return whether a pattern is its name, or it is one of those that are always allowed
     */
    public boolean names(Class<?> type) {
        String name = elementOf(type).getName();
        return names.contains(name) || JavaValues.BEGINNINGS.stream().anyMatch(name::startsWith);
    }

    /** Returns the class of the elements of an array, and any other class itself. */
    static Class<?> elementOf(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }
}
