package dev.ttlstore;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Millis;

/** The bounds of a store's settings, and those defaults that depend on the heap. */
final class SettingRules {

    private static final long MIB = 1024 * 1024;

    /** A cache of more than half of the heap is a mistake of units, or a coming OutOfMemoryError. */
    private static final long MAX_CACHE_SIZE = Runtime.getRuntime().maxMemory() / 2;

    static final long DEFAULT_CACHE_SIZE = defaultCacheSize(Runtime.getRuntime().maxMemory());

    /** SQLite limits a row to 1,000,000,000 bytes, including its names and numbers. */
    private static final int MAX_VALUE_SIZE = 999_000_000;

    private SettingRules() {}

    /** A sixteenth of the heap holds a hundred thousand small entries or more; a small heap has to do with less. */
    static long defaultCacheSize(long maxHeap) {
        long share = Math.min(Math.max(maxHeap / 16, 32 * MIB), 128 * MIB);
        return Math.min(share, maxHeap / 8);
    }

    static Duration requireNotNegative(Duration duration, String parameter) {
        Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null");
        if (duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + duration);
        }
        return duration;
    }

    static Duration requireMillis(Duration duration, String parameter) {
        long unused =
                Millis.of(Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null"), parameter);
        return duration;
    }

    static <E> E requireChosen(@Nullable E engine) {
        if (engine == null) {
            throw new IllegalStateException(
                    "Say where the store is: call path(…), inMemory() or engine(…) before open()");
        }
        return engine;
    }

    static long requireCacheSize(long bytes) {
        return requireBetween(0, MAX_CACHE_SIZE, bytes, "cacheSize", " bytes (half of the maximum heap)");
    }

    static int requireValueSize(long bytes) {
        return (int) requireBetween(1, MAX_VALUE_SIZE, bytes, "maxValueSize", " bytes");
    }

    static long requireBetween(long least, long most, long value, String parameter, String unit) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "'%s' must be %,d to %,d%s, but is %d", parameter, least, most, unit, value));
        }
        return value;
    }
}
