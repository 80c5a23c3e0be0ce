package dev.ttlstore.sample.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.sample.SampleProcess;
import dev.ttlstore.sample.load.Pair.Work;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps and reveals secrets over many connections for a while, checks every answer, and prints how fast that went. Its name is
 * none of a test, so it runs when it is asked for: {@code -Dtest=SecretsLoad}, with {@code -Dconnections=64} and
 * {@code -Dseconds=60}. With {@code -Dsealed=true} the clients encrypt the secrets, as the page's script does.
 */
class SecretsLoad {

    static final String TEAM = "load";

    private static final int WARM_UP_SECONDS = 10;

    @TempDir
    private Path folder;

    @Test
    void everySecretIsRevealedOnce() throws Exception {
        int connections = Integer.getInteger("connections", 64);
        int seconds = Integer.getInteger("seconds", 60);
        boolean sealed = Boolean.getBoolean("sealed");
        try (SampleProcess sample = SampleProcess.startForLoad(
                folder.resolve("store.db"),
                "--store.scopes." + TEAM + ".quota.max-keys=100000",
                // All connections come from one address.
                "--secrets.reveal-limit=" + Integer.MAX_VALUE)) {
            int port = sample.awaitPort();
            run(port, connections, Math.min(seconds, WARM_UP_SECONDS), sealed);
            print(connections, seconds, sealed, run(port, connections, seconds, sealed));
            try (Connection connection = new Connection(port)) {
                assertThat(connection.get("/api/teams/" + TEAM + "/usage").body())
                        .contains("\"secrets\":0");
            }
        }
    }

    private static List<Work> run(int port, int connections, int seconds, boolean sealed) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            List<Future<Work>> works = new ArrayList<>();
            for (int i = 0; i < connections / 2; i++) {
                Pair pair = new Pair(port, end, sealed);
                works.add(threads.submit(() -> pair.work(true)));
                works.add(threads.submit(() -> pair.work(false)));
            }
            List<Work> done = new ArrayList<>();
            for (Future<Work> work : works) {
                // One that has failed leaves its other half waiting for it.
                done.add(work.get(seconds + 60L, TimeUnit.SECONDS));
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void print(int connections, int seconds, boolean sealed, List<Work> works) {
        List<Long> nanos =
                works.stream().flatMap(work -> work.nanos().stream()).sorted().toList();
        long kept = works.stream().mapToLong(Work::kept).sum();
        long races = works.stream().mapToLong(Work::races).sum() / 2;
        assertThat(works.stream().mapToLong(Work::revealed).sum()).isEqualTo(kept);
        System.out.printf(
                Locale.ROOT,
                "| %d connections, %d s%s | %,d secrets, %,d of them raced for | %,d requests/s | median %.1f ms | 99%% %.1f ms |%n",
                connections,
                seconds,
                sealed ? ", encrypted by the clients" : "",
                kept,
                races,
                nanos.size() / seconds,
                millis(nanos, 0.5),
                millis(nanos, 0.99));
    }

    private static double millis(List<Long> sorted, double share) {
        return sorted.get((int) ((sorted.size() - 1) * share)) / 1e6;
    }
}
