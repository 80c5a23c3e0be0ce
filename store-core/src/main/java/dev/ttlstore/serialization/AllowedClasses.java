package dev.ttlstore.serialization;

import java.io.ObjectInputFilter;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The classes that may be serialized and deserialized. Deserialization creates objects of whatever classes the bytes name, and some
 * classes do harm when they are created; so only those are allowed that hold values. Immutable.
 */
public final class AllowedClasses {

    /** Classes of Java that hold values, and those that their serialized forms name. */
    private static final List<String> OF_JAVA = List.of(
            "java.lang.Boolean;java.lang.Byte;java.lang.Character;java.lang.Double;java.lang.Enum;java.lang.Float",
            "java.lang.Integer;java.lang.Long;java.lang.Number;java.lang.Object;java.lang.Record;java.lang.Short",
            "java.lang.String;java.math.BigDecimal;java.math.BigInteger;java.math.RoundingMode;java.net.URI",
            "java.time.*;java.util.AbstractMap$SimpleEntry;java.util.AbstractMap$SimpleImmutableEntry",
            "java.util.ArrayDeque;java.util.ArrayList;java.util.Arrays$ArrayList;java.util.BitSet;java.util.CollSer",
            "java.util.Collections$*;java.util.Currency;java.util.Date;java.util.EnumMap;java.util.EnumSet*",
            "java.util.HashMap;java.util.HashSet;java.util.LinkedHashMap;java.util.LinkedHashSet;java.util.LinkedList",
            "java.util.ImmutableCollections$*;java.util.JumboEnumSet;java.util.RegularEnumSet",
            "java.util.Locale;java.util.Map$Entry;java.util.Set;java.util.TreeMap;java.util.TreeSet;java.util.UUID",
            "java.util.concurrent.ConcurrentHashMap*;java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.TimeUnit;java.util.concurrent.atomic.Atomic*;java.util.concurrent.locks.*",
            PlainRecord.class.getName());

    private static final String LIMITS = "maxdepth=100;";

    private final ObjectInputFilter filter;

    private AllowedClasses(ObjectInputFilter filter) {
        this.filter = filter;
    }

    /**
     * Allows classes of Java that hold values, such as texts, numbers, times and collections, and further ones.
     *
     * @param patterns the further ones: names of classes; {@code com.example.*} for those of a package, {@code com.example.**} also for
     *     those below it
     * @return the allowed classes
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public static AllowedClasses of(Collection<String> patterns) {
        patterns.forEach(AllowedClasses::require);
        return new AllowedClasses(ObjectInputFilter.Config.createFilter(
                LIMITS + Stream.concat(OF_JAVA.stream(), patterns.stream()).collect(Collectors.joining(";")) + ";!*"));
    }

    /** Accepts names and packages only: the filter's syntax knows more, with which one could allow everything by accident. */
    private static void require(String pattern) {
        if (!pattern.matches("[\\w$]+(\\.[\\w$]+)*(\\.\\*\\*?)?")) {
            throw new IllegalArgumentException("'" + pattern
                    + "' must be the name of a class, or 'com.example.*' for the classes of a package, or"
                    + " 'com.example.**' also for those below it");
        }
    }

    /** Returns what checks the classes, the depth and the arrays of what is deserialized. */
    ObjectInputFilter filter() {
        return filter;
    }

    /**
     * Tests whether a class is allowed.
     *
     * @param type the class; an array is allowed if its elements are
     * @return whether it is
     */
    public boolean contains(Class<?> type) {
        return filter.checkInput(new OfClass(type)) != ObjectInputFilter.Status.REJECTED;
    }

    /** A question about a class alone. */
    private record OfClass(Class<?> type) implements ObjectInputFilter.FilterInfo {

        @Override
        public @Nullable Class<?> serialClass() {
            return type;
        }

        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 0;
        }
    }
}
