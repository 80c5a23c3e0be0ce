package dev.ttlstore.spring.benchmark;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.ttlstore.benchmark.turns.TurnTaking;
import dev.ttlstore.spring.benchmark.Table.Comparison;

/**
 * Measures the adapters beside other implementations of the same interfaces, in turns. Arguments: "on" or "off" for
 * whether PostgreSQL's commits wait for the disk, the number of rounds, and a pattern for the names of the interfaces, such as
 * "caches|locks".
 */
public final class Adapters {

    private static final Duration TURN = Duration.ofMillis(250);
    private static final int WARM_UP = 4;

    private static final Table.Comparison[] COMPARISONS = {
        new Comparison(Side.FILE, Side.JDBC),
        new Comparison(Side.FILE, Side.REDIS),
        new Comparison(Side.POSTGRESQL, Side.JDBC),
        new Comparison(Side.POSTGRESQL, Side.REDIS_ALWAYS)
    };

    private Adapters() {}

    /** The operations of one interface. */
    @FunctionalInterface
    interface Races {
        List<Race> of(Bench bench) throws Exception;
    }

    /** Measures. */
    public static void main(String[] args) throws Exception {
        TurnTaking turns = new TurnTaking(TURN, WARM_UP, args.length > 1 ? Integer.parseInt(args[1]) : 9);
        String pattern = args.length > 2 ? args[2] : ".*";
        try (Bench bench = new Bench(args.length > 0 ? args[0] : "on", Duration.ZERO, UnaryOperator.identity())) {
            Table table = new Table(
                    turns,
                    List.of(Side.FILE, Side.POSTGRESQL, Side.JDBC, Side.REDIS, Side.REDIS_ALWAYS),
                    List.of(COMPARISONS));
            table.begin();
            for (Map.Entry<String, Races> group : groups().entrySet()) {
                if (group.getKey().matches(pattern)) {
                    for (Race race : group.getValue().of(bench)) {
                        table.run(race);
                    }
                }
            }
            if ("idempotency".matches(pattern)) {
                idempotency(turns, bench);
            }
        }
    }

    static Map<String, Races> groups() {
        Map<String, Races> groups = new LinkedHashMap<>();
        groups.put("caches", CacheRaces::of);
        groups.put("locks", LockRaces::of);
        groups.put("limits", BucketRaces::of);
        groups.put("sessions", SessionRaces::of);
        groups.put("tokens", TokenRaces::of);
        groups.put("integration", IntegrationRaces::of);
        groups.put("chat", ChatRaces::of);
        return groups;
    }

    private static void idempotency(TurnTaking turns, Bench bench) throws InterruptedException {
        Table table = new Table(
                turns,
                List.of(Side.FILE, Side.POSTGRESQL, Side.WITHOUT),
                List.of(new Comparison(Side.FILE, Side.WITHOUT), new Comparison(Side.POSTGRESQL, Side.WITHOUT)));
        table.begin();
        try (IdempotencyRaces races = new IdempotencyRaces(bench)) {
            for (Race race : races.all()) {
                table.run(race);
            }
        }
    }
}
