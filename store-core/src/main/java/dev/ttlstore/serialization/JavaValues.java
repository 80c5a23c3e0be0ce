package dev.ttlstore.serialization;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of Java and Kotlin that hold values, and those that their serialized forms name. Left out is what does more than that when
 * it is read or used: lambdas run what they name, a {@code URL} asks the network for its host, a {@code Pattern} can take for ever.
 */
final class JavaValues {

    /** The names of the classes. */
    static final Set<String> NAMES = Stream.of(
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

    /** Beginnings of names: of packages, and of classes with those inside them. */
    static final List<String> BEGINNINGS = List.of(
            "java.time.",
            "java.util.Collections$",
            "java.util.EnumSet",
            "java.util.ImmutableCollections$",
            "java.util.TreeMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentSkipList",
            "java.util.concurrent.atomic.",
            "java.util.concurrent.locks.");

    private JavaValues() {}

    /** Returns the full names of classes of one package. */
    private static Stream<String> in(String packageName, String classes) {
        return Stream.of(classes.split(" ", -1)).map(name -> packageName + name);
    }
}
