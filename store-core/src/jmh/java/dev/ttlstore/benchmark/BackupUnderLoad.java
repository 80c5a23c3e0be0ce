package dev.ttlstore.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.turns.Callers;

/**
 * What a backup does to those who put meanwhile: the times of their calls before it, during it and after it. Arguments: how many entries
 * of 200 bytes the store has, how many threads put, and how many milliseconds each pauses after a put.
 */
public final class BackupUnderLoad {

    private static final int ROUNDS = 3;
    private static final int BATCH = 1_000;
    private static final byte[] VALUE = new byte[200];
    private static final Duration TTL = Duration.ofHours(1);
    private static final PrintStream OUT = System.out;

    private BackupUnderLoad() {}

    /** Measures. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int entries = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        Duration pause = Duration.ofMillis(args.length > 2 ? Integer.parseInt(args[2]) : 2);
        Path folder = Files.createTempDirectory("backup");
        try (Store store = Store.open(folder.resolve("store.db"))) {
            Group<byte[]> group = store.group("group", byte[].class);
            fill(group, entries);
            List<Callers.Call> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                calls.add(() -> group.put("key " + ThreadLocalRandom.current().nextInt(entries), VALUE, TTL));
            }
            measure("warm-up", calls, pause, () -> TimeUnit.SECONDS.sleep(5));
            for (int round = 1; round <= ROUNDS; round++) {
                Path target = folder.resolve(round + ".backup");
                measure("before", calls, pause, () -> TimeUnit.SECONDS.sleep(10));
                measure("during", calls, pause, () -> {
                    BackupResult made = store.backup(target);
                    OUT.printf(
                            "%,d bytes in %.1f s%n",
                            made.bytes(), made.elapsed().toMillis() / 1e3);
                });
                measure("after", calls, pause, () -> TimeUnit.SECONDS.sleep(10));
                Files.delete(target);
            }
        }
    }

    private static void fill(Group<byte[]> group, int entries) {
        for (int from = 0; from < entries; from += BATCH) {
            Map<String, byte[]> values = new HashMap<>();
            for (int i = from; i < Math.min(from + BATCH, entries); i++) {
                values.put("key " + i, VALUE);
            }
            group.putAll(values, TTL);
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void measure(String when, List<Callers.Call> calls, Duration pause, Work work)
            throws InterruptedException {
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
