package dev.ttlstore.benchmark;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures each of many puts; JMH's own sampling leaves some out, and the longest may be among them. The puts come one after
 * the other, so one that waits is one slow put, and not as many as could have been made meanwhile.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class PutLatency {

    /** The median, in microseconds. */
    public double p50Micros;

    /** The percentile, in microseconds. */
    public double p99Micros;

    /** The percentile, in microseconds. */
    public double p999Micros;

    /** The longest, in microseconds. */
    public double maxMicros;

    /** Puts for some time. */
    void measure(Duration time, Runnable put) {
        long end = System.nanoTime() + time.toNanos();
        measure(() -> System.nanoTime() < end, put);
    }

    /** Puts while a condition holds. */
    void measure(BooleanSupplier condition, Runnable put) {
        long[] nanos = new long[1 << 20];
        int count = 0;
        while (condition.getAsBoolean()) {
            long start = System.nanoTime();
            put.run();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, count * 2);
            }
            nanos[count++] = System.nanoTime() - start;
        }
        Arrays.sort(nanos, 0, count);
        p50Micros = percentile(nanos, count, 0.5);
        p99Micros = percentile(nanos, count, 0.99);
        p999Micros = percentile(nanos, count, 0.999);
        maxMicros = percentile(nanos, count, 1);
    }

    private static double percentile(long[] sorted, int count, double share) {
        return count == 0 ? 0 : sorted[(int) Math.ceil(share * count) - 1] / 1_000.0;
    }
}
