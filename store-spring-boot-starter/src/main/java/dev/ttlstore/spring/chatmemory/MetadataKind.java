package dev.ttlstore.spring.chatmemory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A class of values that JSON does not have, and that their text makes again.
 *
 * @param type the class
 * @param read makes a value of its text
 */
record MetadataKind(Class<?> type, Function<String, Object> read) {

    private static final List<MetadataKind> ALL = List.of(
            new MetadataKind(Long.class, Long::valueOf),
            new MetadataKind(Short.class, Short::valueOf),
            new MetadataKind(Byte.class, Byte::valueOf),
            new MetadataKind(Float.class, Float::valueOf),
            new MetadataKind(Double.class, Double::valueOf),
            new MetadataKind(BigInteger.class, BigInteger::new),
            new MetadataKind(BigDecimal.class, BigDecimal::new),
            new MetadataKind(Instant.class, Instant::parse),
            new MetadataKind(LocalDate.class, LocalDate::parse),
            new MetadataKind(LocalTime.class, LocalTime::parse),
            new MetadataKind(LocalDateTime.class, LocalDateTime::parse),
            new MetadataKind(OffsetDateTime.class, OffsetDateTime::parse),
            new MetadataKind(ZonedDateTime.class, ZonedDateTime::parse),
            new MetadataKind(OffsetTime.class, OffsetTime::parse),
            new MetadataKind(Year.class, text -> Year.of(Integer.parseInt(text))), // which alone writes no plus
            new MetadataKind(YearMonth.class, YearMonth::parse),
            new MetadataKind(MonthDay.class, MonthDay::parse),
            new MetadataKind(Duration.class, Duration::parse),
            new MetadataKind(Period.class, Period::parse),
            new MetadataKind(UUID.class, UUID::fromString),
            new MetadataKind(URI.class, URI::create));

    static @Nullable MetadataKind of(Object value) {
        return ALL.stream()
                .filter(kind -> kind.type == value.getClass())
                .findFirst()
                .orElse(null);
    }

    /** Returns the text that stands for another value, or is it; null if it has none. */
    static @Nullable String text(Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        return value instanceof CharSequence || value instanceof TemporalAccessor || value instanceof Number
                ? value.toString()
                : null;
    }

    String name() {
        return type.getSimpleName();
    }

    /**
     * Makes a value.
     *
     * @throws IllegalArgumentException if there is no such kind, or the text is of none; without the text
     */
    static Object read(String name, String text) {
        MetadataKind found = ALL.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no such kind of metadata"));
        try {
            return found.read.apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException("A metadata value is no " + name);
        }
    }
}
