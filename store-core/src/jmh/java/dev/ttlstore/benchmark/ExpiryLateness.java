package dev.ttlstore.benchmark;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.ExpiryTeller;
import dev.ttlstore.benchmark.server.Folder;

/** How long after its expiry an entry's expiry is told, when a great many expire over some time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class ExpiryLateness {

    /** Between the writing of the entries and the first expiry: all have to be there by then. */
    private static final long LEAD_MILLIS = 5_000;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Who tells. */
    @Param
    public ExpiryTeller.Kind teller;

    /** How many expire. */
    @Param("100000")
    public int entries;

    /** Over how many seconds. */
    @Param("60")
    public int seconds;

    private Folder folder;
    private ExpiryTeller peer;
    private long[] planned;
    private AtomicLongArray toldAt;
    private CountDownLatch missing;

    /** The lateness, in milliseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Lateness {

        /** The median. */
        public double p50Millis;

        /** The percentile. */
        public double p99Millis;

        /** The percentile. */
        public double p999Millis;

        /** The longest. */
        public double maxMillis;

        /** How many were told of too early; there should be none. */
        public double early;
    }

    /** Writes the entries. */
    @Setup(Level.Iteration)
    public void put() {
        folder = new Folder();
        toldAt = new AtomicLongArray(entries);
        missing = new CountDownLatch(entries);
        peer = teller.open(folder.path(), entry -> {
            if (toldAt.compareAndSet(entry, 0, System.currentTimeMillis())) {
                missing.countDown();
            }
        });
        SplittableRandom random = new SplittableRandom(42);
        long first = System.currentTimeMillis() + LEAD_MILLIS;
        planned = new long[entries];
        Arrays.setAll(planned, i -> first + random.nextLong(seconds * 1_000L));
        peer.put(planned);
        if (System.currentTimeMillis() > first) {
            throw new IllegalStateException("The entries were not all written before the first of them expired");
        }
    }

    /** Closes it. */
    @TearDown(Level.Iteration)
    public void close() {
        peer.close();
        folder.close();
    }

    /** Waits until all have been told. */
    @Benchmark
    public void tell(Lateness lateness) throws InterruptedException {
        if (!missing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(missing.getCount() + " expiries were not told");
        }
        long[] late = new long[entries];
        Arrays.setAll(late, i -> toldAt.get(i) - planned[i]);
        Arrays.sort(late);
        lateness.p50Millis = percentile(late, 0.5);
        lateness.p99Millis = percentile(late, 0.99);
        lateness.p999Millis = percentile(late, 0.999);
        lateness.maxMillis = late[entries - 1];
        lateness.early = Arrays.stream(late).filter(millis -> millis < 0).count();
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
