package dev.ttlstore.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.springframework.util.ClassUtils;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Values of Java's classes that show whether a mapper gives all of them back: how it does that depends on its settings. Of enums, each
 * constant is tried. Thread-safe.
 */
final class JsonSamples {

    private static final int HUGE_BITS = 20_000;

    private static final Map<Class<?>, List<Object>> SAMPLES = samples();

    private final JsonMapper mapper;
    private final ConcurrentMap<JavaType, Boolean> comeBack = new ConcurrentHashMap<>();
    private final ConcurrentMap<JavaType, Boolean> comeBackAsKeys = new ConcurrentHashMap<>();

    JsonSamples(JsonMapper mapper) {
        this.mapper = mapper;
    }

    private static Map<Class<?>, List<Object>> samples() {
        LocalDateTime overlap = LocalDateTime.of(2030, 10, 27, 2, 30, 0, 1); // twice on that day in Berlin
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        BigInteger huge = BigInteger.ONE.shiftLeft(HUGE_BITS);
        Map<Class<?>, List<Object>> all = new HashMap<>();
        add(all, "", "\u0000\u001f\"\\/é\u2028🌦");
        add(all, true, false);
        add(all, 'a', '\u0000', '"', ' ');
        add(all, Byte.MIN_VALUE, Byte.MAX_VALUE);
        add(all, Short.MIN_VALUE, Short.MAX_VALUE);
        add(all, Integer.MIN_VALUE, Integer.MAX_VALUE);
        add(all, 5L, Long.MIN_VALUE, Long.MAX_VALUE);
        add(all, -0.0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 0.1f);
        add(all, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 0.1);
        add(all, BigInteger.TEN, huge.negate());
        add(all, new BigDecimal("1.10"), new BigDecimal("1E+30"), new BigDecimal(huge, 7), new BigDecimal("0E-9"));
        add(all, UUID.fromString("00000000-0000-4000-8000-000000000001"));
        add(all, URI.create(""), URI.create("urn:a:b"), URI.create("/a?b=%20#c"));
        add(all, Locale.ROOT, Locale.GERMANY, Locale.forLanguageTag("zh-Hant-TW"));
        add(all, Currency.getInstance("EUR"));
        add(all, Instant.parse("-0001-01-01T00:00:00.000000001Z"), Instant.parse("+12345-01-01T00:00:00.123Z"));
        add(all, LocalDate.of(-1, 2, 28), LocalDate.of(12345, 1, 1), LocalDate.MAX);
        add(all, LocalTime.MIDNIGHT, LocalTime.MAX);
        add(all, overlap, LocalDateTime.of(12345, 1, 1, 0, 0));
        add(all, overlap.atOffset(ZoneOffset.ofHoursMinutes(5, 30)), overlap.atOffset(ZoneOffset.UTC));
        add(
                all,
                ZonedDateTime.ofLocal(overlap, berlin, ZoneOffset.ofHours(1)),
                ZonedDateTime.ofLocal(overlap, berlin, ZoneOffset.ofHours(2)),
                overlap.atZone(ZoneId.of("UTC")),
                overlap.atZone(ZoneOffset.UTC),
                overlap.atZone(ZoneOffset.ofHours(-3)));
        add(all, OffsetTime.of(LocalTime.MAX, ZoneOffset.ofHoursMinutesSeconds(1, 2, 3)));
        add(all, Duration.ofSeconds(-1, 1), Duration.ofDays(10_000), Duration.ZERO);
        add(all, Period.of(-1, 14, 40), Period.ZERO);
        add(all, Year.of(-5), Year.of(12345));
        add(all, YearMonth.of(2030, 1), YearMonth.of(12345, 12));
        add(all, MonthDay.of(2, 29));
        add(all, ZoneOffset.UTC, ZoneOffset.ofHours(-3));
        all.put(ZoneId.class, List.of(berlin, ZoneId.of("UTC"), ZoneOffset.UTC, ZoneId.of("GMT+2")));
        add(all, OptionalInt.empty(), OptionalInt.of(1));
        add(all, OptionalLong.empty(), OptionalLong.of(1));
        add(all, OptionalDouble.empty(), OptionalDouble.of(Double.NaN));
        add(all, (Object) new byte[0], new byte[] {0, 1, -1});
        add(all, (Object) new char[0], new char[] {'a', '\u0000'});
        add(all, (Object) new short[0], new short[] {1});
        add(all, (Object) new int[0], new int[] {1});
        add(all, (Object) new long[0], new long[] {1});
        add(all, (Object) new float[0], new float[] {Float.NaN});
        add(all, (Object) new double[0], new double[] {Double.NaN});
        add(all, (Object) new boolean[0], new boolean[] {true});
        return all;
    }

    private static void add(Map<Class<?>, List<Object>> all, Object... values) {
        all.put(values[0].getClass(), List.of(values));
    }

    private static List<Object> of(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.asList(type.getEnumConstants());
        }
        return SAMPLES.getOrDefault(ClassUtils.resolvePrimitiveIfNecessary(type), List.of());
    }

    static Set<Class<?>> types() {
        return SAMPLES.keySet();
    }

    /** Tests whether there are samples of a class. */
    boolean has(Class<?> type) {
        return type.isEnum() || !of(type).isEmpty();
    }

    /** Tests whether the mapper reads the samples of a class as it has written them. */
    boolean comeBack(JavaType type) {
        return comeBack.computeIfAbsent(type, of -> of(type.getRawClass()).stream()
                .allMatch(sample -> Objects.deepEquals(sample, again(type, sample))));
    }

    /** Tests whether the mapper reads a map with a key as it has written it, for each sample of a class. */
    boolean comeBackAsKeys(JavaType type) {
        JavaType map = mapper.getTypeFactory()
                .constructMapType(Map.class, type, mapper.getTypeFactory().constructType(Boolean.class));
        return has(type.getRawClass())
                && comeBackAsKeys.computeIfAbsent(type, of -> of(type.getRawClass()).stream()
                        .map(sample -> Map.of(sample, true))
                        .allMatch(sample -> sample.equals(again(map, sample))));
    }

    private Object again(JavaType type, Object sample) {
        try {
            return mapper.readerFor(type).readValue(mapper.writerFor(type).writeValueAsBytes(sample));
        } catch (JacksonException e) {
            return e; // equals no sample
        }
    }
}
