package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

/**
 * The operations of {@link BesideJdbc} and {@link Libraries} in turns of half a second with those by hand, in one process. On a
 * machine whose disk and cores others use too, this tells more than one long run of each: the ratio is the median over the
 * rounds. Arguments: "on" or "off" for whether commits wait for the disk, the number of
 * rounds, a pattern for the names of the operations, and in how many groups the entries are.
 */
public final class Turns {

    private static final Duration TURN = Duration.ofMillis(500);
    private static final int WARM_UP = 8;
    private static final PrintStream OUT = System.out;

    private final Bench bench;
    private final int rounds;
    private final String pattern;

    private Turns(Bench bench, int rounds, String pattern) {
        this.bench = bench;
        this.rounds = rounds;
        this.pattern = pattern;
    }

    /** One operation. */
    @FunctionalInterface
    private interface Operation {
        Object run(Bench bench) throws SQLException;
    }

    /** Measures. */
    public static void main(String[] args) throws Exception {
        Bench bench = new Bench();
        bench.fsync = args.length > 0 ? args[0] : "on";
        bench.entries = 50_000;
        bench.groupCount = args.length > 3 ? Integer.parseInt(args[3]) : 100;
        bench.open();
        try {
            new Turns(bench, args.length > 1 ? Integer.parseInt(args[1]) : 9, args.length > 2 ? args[2] : ".*").all();
        } finally {
            bench.close();
        }
    }

    private void all() throws Exception {
        BesideJdbc own = new BesideJdbc();
        Libraries libraries = new Libraries();
        OUT.printf("%nfsync %s: operations per second, medians of %d turns%n", bench.fsync, rounds);
        compare("get", 1, own::get, own::getByHand);
        compare("put", 1, own::put, own::putByHand);
        compare("put, new key", 1, own::putNew, own::putNewByHand);
        compare("putIfAbsent", 1, own::putIfAbsent, own::putIfAbsentByHand);
        compare("replace", 1, own::replace, own::replaceByHand);
        compare("increment", 1, own::increment, own::incrementByHand);
        compare("renew", 1, own::renew, own::renewByHand);
        compare("session", 1, libraries::session, libraries::sessionByHand);
        compare("lock and unlock", 1, libraries::lock, libraries::lockByHand);
        compare("increment, few keys", 1, own::incrementFew, own::incrementFewByHand);
        compare("get, 8 threads", 8, own::get, own::getByHand);
        compare("put, 128 threads", 128, own::put, own::putByHand);
        compare("increment, 128 threads", 128, own::increment, own::incrementByHand);
        compare("take", 1, own::take, own::takeByHand);
    }

    private void compare(String what, int threads, Operation ours, Operation byHand) throws InterruptedException {
        if (!what.matches(pattern)) {
            return;
        }
        Rounds both =
                new TurnTaking(TURN, WARM_UP, rounds).of(List.of(callers(threads, ours), callers(threads, byHand)));
        OUT.printf("%-24s %,9.0f %,9.0f   ratio %s%n", what, both.median(0), both.median(1), both.ratio(0, 1));
    }

    private List<Callers.Call> callers(int threads, Operation operation) {
        return Collections.nCopies(threads, () -> operation.run(bench));
    }
}
