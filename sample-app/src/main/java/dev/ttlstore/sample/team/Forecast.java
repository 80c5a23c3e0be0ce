package dev.ttlstore.sample.team;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Scope;

/**
 * The number of secrets that expire in each interval, from the store's expiry index, as bars to draw.
 *
 * @param unit the length of one interval, such as {@code 5 minutes}
 * @param span the period that all bars cover
 * @param bars the bars, starting with the next interval
 */
record Forecast(String unit, String span, List<Bar> bars) {

    private static final int HEIGHT = 56;
    private static final int STEP = 10;
    private static final int WIDTH = 8;

    /** The least height of a bar, so that empty intervals are visible. */
    private static final int LEAST = 2;

    /** A bar and its position in the drawing. */
    record Bar(int x, int y, int width, int height, long count, boolean empty) {}

    /** A period to look at. */
    enum Range {
        HOUR("Hour", "5 minutes", "the next hour", Duration.ofMinutes(5), 12),
        DAY("Day", "an hour", "the next 24 hours", Duration.ofHours(1), 24),
        MONTH("Month", "a day", "the next 30 days", Duration.ofDays(1), 30);

        private final String text;
        private final String unit;
        private final String span;
        private final Duration step;
        private final int steps;

        Range(String text, String unit, String span, Duration step, int steps) {
            this.text = text;
            this.unit = unit;
            this.span = span;
            this.step = step;
            this.steps = steps;
        }

        /** Returns the range of that name, or the first. */
        static Range of(@Nullable String name) {
            return Arrays.stream(values())
                    .filter(range -> range.id().equals(name))
                    .findFirst()
                    .orElse(HOUR);
        }

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        List<Choice> choices() {
            return Arrays.stream(values())
                    .map(range -> new Choice(range.id(), range.text, range == this))
                    .toList();
        }
    }

    /** A range to choose, and whether it is shown. */
    record Choice(String id, String name, boolean shown) {}

    static Forecast of(Scope scope, Instant now, Range range) {
        int steps = range.steps;
        Duration step = range.step;
        long[] counts = new long[steps];
        try (Stream<ExpiringEntry> ends = scope.expiring(now, now.plus(step.multipliedBy(steps)))) {
            ends.forEach(end -> {
                long index = Duration.between(now, end.expiresAt()).dividedBy(step);
                counts[(int) Math.min(index, steps - 1L)]++;
            });
        }
        long most = Math.max(1, Arrays.stream(counts).max().orElse(0));
        List<Bar> bars =
                IntStream.range(0, steps).mapToObj(i -> bar(i, counts[i], most)).toList();
        return new Forecast(range.unit, range.span, bars);
    }

    private static Bar bar(int index, long count, long most) {
        int height = count == 0 ? LEAST : (int) Math.max(LEAST * 3L, count * HEIGHT / most);
        return new Bar(index * STEP + 1, HEIGHT - height, WIDTH, height, count, count == 0);
    }

    boolean none() {
        return total() == 0;
    }

    long total() {
        return bars.stream().mapToLong(Bar::count).sum();
    }

    int width() {
        return bars.size() * STEP;
    }

    int height() {
        return HEIGHT;
    }
}
