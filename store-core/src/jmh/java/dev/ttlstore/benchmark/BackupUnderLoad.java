package dev.ttlstore.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.ttlstore.BackupResult;
import dev.ttlstore.Group;
import dev.ttlstore.Store;

/**
 * What a backup does to those who put meanwhile: the times of their calls before it, during it and after it. Arguments: how many entries
 * of 200 bytes the store has, how many threads put, and how many milliseconds each pauses after a put.
 */
public final class BackupUnderLoad {

    private static final int ROUNDS = 3;
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
            PutsMeanwhile.fill(group, entries, TTL);
            PutsMeanwhile puts = PutsMeanwhile.of(threads, group, entries, TTL, pause);
            puts.measure("warm-up", () -> TimeUnit.SECONDS.sleep(5));
            for (int round = 1; round <= ROUNDS; round++) {
                Path target = folder.resolve(round + ".backup");
                puts.measure("before", () -> TimeUnit.SECONDS.sleep(10));
                puts.measure("during", () -> {
                    BackupResult made = store.backup(target);
                    OUT.printf(
                            "%,d bytes in %.1f s%n",
                            made.bytes(), made.elapsed().toMillis() / 1e3);
                });
                puts.measure("after", () -> TimeUnit.SECONDS.sleep(10));
                Files.delete(target);
            }
        }
    }
}
