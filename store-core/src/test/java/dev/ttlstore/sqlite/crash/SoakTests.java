package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a store takes levels off, however long it runs: 10 seconds, or {@code -Dsoak.minutes}. */
@Tag("soak")
class SoakTests {

    private static final int MINUTES = Integer.getInteger("soak.minutes", 0);
    private static final Duration LENGTH = MINUTES > 0 ? Duration.ofMinutes(MINUTES) : Duration.ofSeconds(10);
    private static final int SAMPLES = 30;
    private static final int THREADS = 4;
    private static final long MEGABYTE = 1024 * 1024;

    @TempDir
    Path folder;

    private final LongAdder operations = new LongAdder();
    private volatile boolean over;

    @Test
    @Promise({6, 15, 22})
    void whatAStoreTakesLevelsOff() throws IOException, ExecutionException, InterruptedException {
        Path file = folder.resolve("store.db");
        List<SoakSample> samples = new ArrayList<>();
        ExecutorService executor = Executors.newCachedThreadPool();
        try (Store store = Store.builder()
                        .path(file)
                        .purgeInterval(Duration.ofMillis(200))
                        .retention(Duration.ofSeconds(1))
                        .open();
                Watch fast = store.watch();
                Watch slow = store.watch(WatchOptions.defaults().withCapacity(64))) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                work.add(executor.submit(() -> write(store)));
            }
            work.add(executor.submit(() -> read(fast, Duration.ZERO)));
            work.add(executor.submit(() -> read(slow, Duration.ofMillis(20))));
            for (int i = 0; i < SAMPLES && work.stream().noneMatch(Future::isDone); i++) {
                LockSupport.parkNanos(LENGTH.dividedBy(SAMPLES).toNanos());
                samples.add(SoakSample.take(file));
            }
            over = true;
            for (Future<?> future : work) {
                future.get(); // throws what was thrown
            }
            assertThat(store.activity().watchDrops()).isPositive();
            assertThat(store.activity().listenerFailures()).isZero();
        } finally {
            over = true;
            executor.shutdown();
            assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        tell(operations + " operations");
        assertLevel("heap", samples, SoakSample::heap, 4 * MEGABYTE);
        assertLevel("open descriptors", samples, SoakSample::descriptors, 4);
        assertLevel("threads", samples, SoakSample::threads, 6);
        assertLevel("file", samples, SoakSample::file, 2 * MEGABYTE);
        assertLevel("log", samples, SoakSample::log, 64 * MEGABYTE); // up to which it keeps the space of a burst
    }

    /** Threads come and go: what a store kept for each would be seen. */
    private void write(Store store) {
        Random seeds = new Random();
        while (!over) {
            long seed = seeds.nextLong();
            List<Throwable> failures = new ArrayList<>();
            Thread thread = new Thread(() -> {
                SoakLoad load = new SoakLoad(store, seed, operations);
                for (int i = 0; i < 1_000 && !over; i++) {
                    load.step();
                }
            });
            thread.setUncaughtExceptionHandler((dead, failure) -> failures.add(failure));
            thread.start();
            join(thread);
            if (!failures.isEmpty()) {
                throw new IllegalStateException("With the seed " + seed, failures.get(0));
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read(Watch watch, Duration pause) {
        while (!over) {
            if (watch.poll().isEmpty() || !pause.isZero()) {
                LockSupport.parkNanos(Math.max(pause.toNanos(), 100_000));
            }
        }
    }

    /** The first third is for warming up. */
    private static void assertLevel(
            String what, List<SoakSample> samples, ToLongFunction<SoakSample> figure, long tolerance) {
        int third = samples.size() / 3;
        double middle = mean(samples.subList(third, 2 * third), figure);
        double last = mean(samples.subList(2 * third, samples.size()), figure);
        tell(what + ": " + Math.round(middle) + " in the middle third, " + Math.round(last) + " in the last");
        assertThat(last).as("%s in %s", what, samples).isLessThanOrEqualTo(middle * 1.1 + tolerance);
    }

    /** Whoever asks for a long run wants to see the figures. */
    private static void tell(String line) {
        if (MINUTES > 0) {
            System.out.println(line);
        }
    }

    private static double mean(List<SoakSample> samples, ToLongFunction<SoakSample> figure) {
        return samples.stream().mapToLong(figure).average().orElseThrow();
    }
}
