package dev.ttlstore.benchmark;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import dev.ttlstore.Group;
import dev.ttlstore.benchmark.turns.Callers;

/** Threads that put random entries of a group while something else is done, and how long their calls take. */
record PutsMeanwhile(List<Callers.Call> calls, Duration pause) {

    static final byte[] VALUE = new byte[200];

    private static final int BATCH = 1_000;
    private static final PrintStream OUT = System.out;

    /** What is done meanwhile. */
    interface Work {
        void run() throws InterruptedException;
    }

    /**
     * Returns puts of some threads.
     *
     * @param entries how many keys there are, as {@link #fill} makes them
     * @param pause how long each thread waits after a put
     */
    static PutsMeanwhile of(int threads, Group<byte[]> group, int entries, Duration ttl, Duration pause) {
        List<Callers.Call> calls = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            calls.add(() -> group.put("key " + ThreadLocalRandom.current().nextInt(entries), VALUE, ttl));
        }
        return new PutsMeanwhile(calls, pause);
    }

    /** Puts so many entries. */
    static void fill(Group<byte[]> group, int entries, Duration ttl) {
        for (int from = 0; from < entries; from += BATCH) {
            Map<String, byte[]> values = new HashMap<>();
            for (int i = from; i < Math.min(from + BATCH, entries); i++) {
                values.put("key " + i, VALUE);
            }
            group.putAll(values, ttl);
        }
    }

    /** Runs the work, and prints the times of the puts. */
    void measure(String when, Work work) throws InterruptedException {
        try (Callers.Running running = new Callers.Running(calls, pause)) {
            work.run();
            Callers.Result result = running.stop();
            OUT.printf(
                    "%s: %,.0f puts per second, in ms: median %.3f, 99 %% %.2f, 99.9 %% %.2f, longest %.1f%n",
                    when,
                    result.perSecond(),
                    result.millis(0.5),
                    result.millis(0.99),
                    result.millis(0.999),
                    result.millis(1));
        }
    }
}
