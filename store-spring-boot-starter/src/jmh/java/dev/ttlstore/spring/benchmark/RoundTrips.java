package dev.ttlstore.spring.benchmark;

import java.io.PrintStream;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.spring.CountedPool;

/**
 * Counts how often one call waits for PostgreSQL, in our adapters and in the JDBC implementations of the same interfaces. Unlike times,
 * this is the same on any machine.
 */
public final class RoundTrips {

    private static final int WARM_UP = 30;
    private static final int CALLS = 50;
    private static final PrintStream OUT = System.out;

    private final CountedPool counter = new CountedPool();

    private RoundTrips() {}

    /** Counts. */
    public static void main(String[] args) throws Exception {
        new RoundTrips().all();
    }

    private void all() throws Exception {
        try (Bench bench = new Bench("off", Duration.ZERO, counter::of)) {
            OUT.println("\n| | on PostgreSQL | JDBC |\n|---|--:|--:|");
            for (Adapters.Races group : Adapters.groups().values()) {
                for (Race race : group.of(bench)) {
                    if (race.threads() == 1) {
                        OUT.printf(
                                "| %s | %s | %s |%n",
                                race.what(), count(race.call(Side.POSTGRESQL)), count(race.call(Side.JDBC)));
                    }
                }
            }
        }
    }

    private String count(Callers.@Nullable Call call) throws Exception {
        if (call == null) {
            return "";
        }
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        long before = counter.take();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        Race.require(before > 0, "nothing was counted");
        return String.format("%.1f", (double) counter.take() / CALLS);
    }
}
