package dev.ttlstore.serialization;

import java.util.List;
import java.util.Set;

/**
 * The classes of Java and Kotlin that hold values, and those that their serialized forms name. Left out is what does more than that when
 * it is read or used: lambdas run what they name, a {@code URL} asks the network for its host, a {@code Pattern} can take for ever.
 */
final class JavaValues {

    /** The names of the classes. */
    static final Set<String> NAMES = Set.of(
            // texts, numbers and what they extend
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Number",
            "java.lang.Object",
            "java.lang.Record",
            "java.lang.Short",
            "java.lang.String",
            "java.lang.String$CaseInsensitiveComparator",
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.math.MathContext",
            // times
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.Calendar",
            "java.util.Date",
            "java.util.GregorianCalendar",
            "java.util.JapaneseImperialCalendar",
            "java.util.SimpleTimeZone",
            "java.util.TimeZone",
            "sun.util.BuddhistCalendar",
            "sun.util.calendar.ZoneInfo",
            // places
            "java.io.File",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.SocketAddress",
            "java.net.URI",
            "java.util.Currency",
            "java.util.Locale",
            "java.util.UUID",
            // collections
            "java.util.AbstractMap$SimpleEntry",
            "java.util.AbstractMap$SimpleImmutableEntry",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.BitSet",
            "java.util.CollSer",
            "java.util.Comparators$NullComparator",
            "java.util.EnumMap",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.IdentityHashMap",
            "java.util.JumboEnumSet",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.LinkedList$ReverseOrderLinkedListView",
            "java.util.PriorityQueue",
            "java.util.Properties",
            "java.util.RegularEnumSet",
            "java.util.Stack",
            "java.util.TreeSet",
            "java.util.Vector",
            "java.util.concurrent.ArrayBlockingQueue",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet",
            "java.util.concurrent.LinkedBlockingDeque",
            "java.util.concurrent.LinkedBlockingQueue",
            "java.util.concurrent.LinkedTransferQueue",
            "java.util.concurrent.PriorityBlockingQueue",
            // what Kotlin's standard library has besides
            "kotlin.Pair",
            "kotlin.Triple",
            "kotlin.collections.EmptyList",
            "kotlin.collections.EmptyMap",
            "kotlin.collections.EmptySet",
            // in place of records and optionals that are not Serializable
            PlainOptional.class.getName(),
            PlainRecord.class.getName());

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
}
