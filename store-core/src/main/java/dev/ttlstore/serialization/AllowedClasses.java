package dev.ttlstore.serialization;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /**
     * The names of the classes of Java and Kotlin that hold values, and those that their serialized forms name. Left out is what does
     * more than that when it is read or used: lambdas run what they name, a {@code URL} asks the network for its host, a {@code Pattern}
     * can take for ever.
     */
    private static final Set<String> OF_JAVA = Stream.of(
                    // texts, numbers and what they extend
                    in("java.lang.", "Boolean Byte Character Double Enum Float Integer Long Number Object Record"),
                    in("java.lang.", "Short String String$CaseInsensitiveComparator StringBuffer StringBuilder"),
                    in("java.math.", "BigDecimal BigInteger MathContext"),
                    // times
                    in("java.sql.", "Date Time Timestamp"),
                    in("java.util.", "Calendar Date GregorianCalendar JapaneseImperialCalendar SimpleTimeZone"),
                    in("java.util.", "TimeZone"),
                    in("sun.util.", "BuddhistCalendar"),
                    in("sun.util.calendar.", "ZoneInfo"),
                    // places
                    in("java.io.", "File"),
                    in("java.net.", "Inet4Address Inet6Address InetAddress InetSocketAddress SocketAddress URI"),
                    in("java.util.", "Currency Locale UUID"),
                    // collections
                    in("java.util.", "AbstractMap$SimpleEntry AbstractMap$SimpleImmutableEntry ArrayDeque"),
                    in("java.util.", "ArrayList Arrays$ArrayList BitSet CollSer Comparators$NullComparator"),
                    in("java.util.", "EnumMap HashMap HashSet Hashtable IdentityHashMap JumboEnumSet"),
                    in("java.util.", "LinkedHashMap LinkedHashSet LinkedList"),
                    in("java.util.", "LinkedList$ReverseOrderLinkedListView PriorityQueue Properties"),
                    in("java.util.", "RegularEnumSet Stack TreeSet Vector"),
                    in("java.util.concurrent.", "ArrayBlockingQueue ConcurrentLinkedDeque ConcurrentLinkedQueue"),
                    in("java.util.concurrent.", "CopyOnWriteArrayList CopyOnWriteArraySet LinkedBlockingDeque"),
                    in("java.util.concurrent.", "LinkedBlockingQueue LinkedTransferQueue PriorityBlockingQueue"),
                    // what Kotlin's standard library has besides
                    in("kotlin.", "Pair Triple"),
                    in("kotlin.collections.", "EmptyList EmptyMap EmptySet"),
                    // in place of records and optionals that are not Serializable
                    Stream.of(PlainOptional.class.getName(), PlainRecord.class.getName()))
            .flatMap(names -> names)
            .collect(Collectors.toUnmodifiableSet());

    /** Beginnings of the names of such classes: of packages, and of classes with those inside them. */
    private static final List<String> BEGINNINGS_OF_JAVA = List.of(
            "java.time.",
            "java.util.Collections$",
            "java.util.EnumSet",
            "java.util.ImmutableCollections$",
            "java.util.TreeMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentSkipList",
            "java.util.concurrent.atomic.",
            "java.util.concurrent.locks.");

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
        return OF_JAVA;
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
        allowed.names.addAll(OF_JAVA);
        allowed.beginnings.addAll(BEGINNINGS_OF_JAVA);
        for (String pattern : patterns) {
            require(pattern);
            allowed.add(pattern);
        }
        return allowed;
    }

    /** Returns the full names of classes of one package. */
    private static Stream<String> in(String packageName, String classes) {
        return Stream.of(classes.split(" ", -1)).map(name -> packageName + name);
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
        return names.contains(name) || BEGINNINGS_OF_JAVA.stream().anyMatch(name::startsWith);
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
