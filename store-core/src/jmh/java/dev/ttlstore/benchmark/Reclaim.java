package dev.ttlstore.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.sqlite.Sqlite;

/**
 * What it costs that a file can shrink, and what shrinking does to those who put meanwhile. First, two stores take turns of some
 * milliseconds: one whose file never shrinks, and one whose file can. Their times are those of the processor and of the clock. Then a store is filled and purged, and two threads put until its file
 * has shrunk. Argument: how many entries of 200 bytes that store has.
 */
public final class Reclaim {

    private static final int ROUNDS = 200;
    private static final int PUTS = 500;
    private static final int LARGE_PUTS = 50;
    private static final int KEYS = 100_000;
    private static final byte[] LARGE_VALUE = new byte[20_000];
    private static final Duration RECLAIM_AFTER = Duration.ofSeconds(5);
    private static final Duration TTL = Duration.ofHours(1);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final PrintStream OUT = System.out;

    private Reclaim() {}

    /** Measures. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("reclaim");
        cost(folder);
        shrink(folder.resolve("shrinking.db"), args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000);
    }

    /** A store, and how far its new keys have come. */
    private static final class Side implements AutoCloseable {

        private final MovableClock clock = new MovableClock();
        private final Store store;
        private final Group<byte[]> group;
        private int next;

        Side(Path file, Duration reclaimAfter) {
            store = open(file, reclaimAfter, clock);
            group = store.group("group", byte[].class);
        }

        void putNew(int i) {
            group.put("new " + next++, PutsMeanwhile.VALUE, TTL);
        }

        void overwrite(int i) {
            group.put("key " + ThreadLocalRandom.current().nextInt(KEYS), PutsMeanwhile.VALUE, TTL.multipliedBy(1_000));
        }

        void putLarge(int i) {
            group.put("large " + ThreadLocalRandom.current().nextInt(LARGE_PUTS), LARGE_VALUE, TTL);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private static void cost(Path folder) {
        try (Side fixed = new Side(folder.resolve("fixed.db"), Duration.ZERO);
                Side shrinking = new Side(folder.resolve("able.db"), Duration.ofDays(1))) {
            for (Side side : List.of(fixed, shrinking)) {
                PutsMeanwhile.fill(side.group, KEYS, TTL.multipliedBy(1_000));
            }
            Map<String, List<Double>> ratios = new TreeMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                boolean first = round % 2 == 0;
                turn("new", first, fixed, shrinking, PUTS, side -> side::putNew, ratios);
                turn("overwrite", first, fixed, shrinking, PUTS, side -> side::overwrite, ratios);
                turn("20 KB", first, fixed, shrinking, LARGE_PUTS, side -> side::putLarge, ratios);
                for (Side side : List.of(fixed, shrinking)) {
                    side.clock.advance(TTL.plusSeconds(1));
                }
                turn("purge", first, fixed, shrinking, 1, side -> i -> side.store.purgeExpired(), ratios);
            }
            ratios.forEach((what, each) -> OUT.printf(
                    "%s: a file that can shrink takes %.3f of the time (median of %d turns; quarters %.3f and %.3f)%n",
                    what, quantile(each, 0.5), each.size(), quantile(each, 0.25), quantile(each, 0.75)));
        }
    }

    private interface Calls {
        IntConsumer of(Side side);
    }

    private static void turn(
            String what,
            boolean fixedFirst,
            Side fixed,
            Side shrinking,
            int calls,
            Calls call,
            Map<String, List<Double>> ratios) {
        Times first = times(call.of(fixedFirst ? fixed : shrinking), calls);
        Times second = times(call.of(fixedFirst ? shrinking : fixed), calls);
        Times ofFixed = fixedFirst ? first : second;
        Times ofShrinking = fixedFirst ? second : first;
        ratios.computeIfAbsent(what + ", processor", key -> new ArrayList<>())
                .add(ofShrinking.processor() / ofFixed.processor());
        ratios.computeIfAbsent(what + ", clock", key -> new ArrayList<>()).add(ofShrinking.clock() / ofFixed.clock());
    }

    private record Times(double clock, double processor) {}

    private static Times times(IntConsumer call, int calls) {
        long begun = System.nanoTime();
        long used = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < calls; i++) {
            call.accept(i);
        }
        return new Times(System.nanoTime() - begun, THREADS.getCurrentThreadCpuTime() - used);
    }

    private static double quantile(List<Double> values, double part) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) (part * (sorted.size() - 1)));
    }

    private static void shrink(Path file, int entries) throws IOException, InterruptedException {
        MovableClock clock = new MovableClock();
        try (Store store = open(file, RECLAIM_AFTER, clock)) {
            Group<byte[]> group = store.group("group", byte[].class);
            PutsMeanwhile.fill(group, entries, TTL);
            Group<byte[]> others = store.group("others", byte[].class);
            PutsMeanwhile.fill(others, KEYS, TTL.multipliedBy(1_000));
            OUT.printf("%,d entries: %,d bytes%n", entries, Files.size(file));
            clock.advance(TTL.plusSeconds(1));
            OUT.printf("%,d entries were purged%n", store.purgeExpired());
            PutsMeanwhile puts = PutsMeanwhile.of(2, others, KEYS, TTL.multipliedBy(1_000), Duration.ofMillis(1));
            long full = Files.size(file);
            puts.measure("before", () -> TimeUnit.SECONDS.sleep(4));
            puts.measure("while the file shrinks", () -> awaitShrinking(file, full));
            OUT.printf("The file has %,d bytes%n", Files.size(file));
            puts.measure("after", () -> TimeUnit.SECONDS.sleep(10));
        }
        OUT.printf("The closed file has %,d bytes%n", Files.size(file));
    }

    private static void awaitShrinking(Path file, long full) throws InterruptedException {
        long begun = System.nanoTime();
        long last = full;
        long changed = begun;
        while (last == full || System.nanoTime() - changed < SETTLED_NANOS) {
            TimeUnit.MILLISECONDS.sleep(50);
            if (size(file) < last) {
                last = size(file);
                changed = System.nanoTime();
            }
        }
        OUT.printf("Shrunk after %.1f s%n", (changed - begun) / 1e9);
    }

    private static long size(Path file) {
        return file.toFile().length();
    }

    private static Store open(Path file, Duration reclaimAfter, MovableClock clock) {
        return Store.builder()
                .engine(Sqlite.file(file).reclaimAfter(reclaimAfter))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open();
    }
}
