package dev.ttlstore.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.google.gson.GsonBuilder;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.EntryPeer;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.server.PeerUnavailableException;
import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

import static dev.ttlstore.benchmark.peer.Configuration.CAFFEINE;
import static dev.ttlstore.benchmark.peer.Configuration.EHCACHE;
import static dev.ttlstore.benchmark.peer.Configuration.MAPDB;
import static dev.ttlstore.benchmark.peer.Configuration.MVSTORE;
import static dev.ttlstore.benchmark.peer.Configuration.MVSTORE_SYNC;
import static dev.ttlstore.benchmark.peer.Configuration.PLAIN;
import static dev.ttlstore.benchmark.peer.Configuration.PLAIN_FULL;
import static dev.ttlstore.benchmark.peer.Configuration.REDIS_ALWAYS;
import static dev.ttlstore.benchmark.peer.Configuration.REDIS_EVERYSEC;
import static dev.ttlstore.benchmark.peer.Configuration.ROCKSDB;
import static dev.ttlstore.benchmark.peer.Configuration.ROCKSDB_SYNC;
import static dev.ttlstore.benchmark.peer.Configuration.SQLITE;
import static dev.ttlstore.benchmark.peer.Configuration.SQLITE_FULL;
import static dev.ttlstore.benchmark.peer.Configuration.TTL_STORE;
import static dev.ttlstore.benchmark.peer.Configuration.TTL_STORE_CACHED;
import static dev.ttlstore.benchmark.peer.Configuration.TTL_STORE_DEFAULT;
import static dev.ttlstore.benchmark.peer.Configuration.TTL_STORE_FULL;

/**
 * The main benchmarks in turns of a third of a second, for a machine that is not quiet: where JMH measures one peer after
 * the other, what disturbs the machine meets one of them. It prints tables in Markdown and writes a file as JMH does, from which the
 * report draws charts. What a peer does in the background may fall into the turn of another, but all peers of a table promise
 * the same. Arguments: the file, the number of rounds (20), a pattern for the names (".*"), and the bytes of a value (100).
 */
public final class PeersInTurns {

    private static final Duration TURN = Duration.ofMillis(330);
    private static final int WARM_UP = 8;
    private static final PrintStream OUT = System.out;

    private static final String GET = "HotGet.oneThread";

    /** So many gets make one call, so that measuring the time takes little of it. */
    private static final int GETS = 100;

    private static final int HOT = 2_000;

    /** Every entry may be chosen. */
    private static final int ALL = Integer.MAX_VALUE;

    private final int rounds;
    private final Size size = new Size();
    private final List<Map<String, Object>> measured = new ArrayList<>();

    private PeersInTurns(int rounds, int valueSize) {
        this.rounds = rounds;
        size.entries = 200_000;
        size.valueSize = valueSize;
    }

    /** What is done to an entry. The result is kept, so that no compiler leaves it out. */
    @FunctionalInterface
    private interface Operation {
        @Nullable
        Object run(Workbench<Peer> bench, RandomEntry random);
    }

    /**
     * One table.
     *
     * @param benchmark the class and method that measure the same with JMH
     * @param threads how many callers there are
     * @param hot among how many entries gets choose
     * @param peers the sides, ours first
     */
    private record Table(String benchmark, int threads, int hot, Operation operation, List<Configuration> peers) {

        Table(String benchmark, int threads, Operation operation, Configuration... peers) {
            this(benchmark, threads, ALL, operation, List.of(peers));
        }

        boolean isGet() {
            return benchmark.equals(GET);
        }

        /** How many operations make one call. */
        int times() {
            return isGet() ? GETS : 1;
        }

        static Table gets(int hot, Configuration... peers) {
            Operation get = (bench, random) ->
                    bench.get(random.below(Math.min(hot, bench.data().size())));
            return new Table(GET, 1, hot, get, List.of(peers));
        }
    }

    private static List<Table> tables() {
        Configuration[] synced = {TTL_STORE_FULL, PLAIN_FULL, ROCKSDB_SYNC, REDIS_ALWAYS};
        return List.of(
                Table.gets(
                        HOT,
                        TTL_STORE_CACHED,
                        SQLITE,
                        PLAIN,
                        ROCKSDB,
                        MAPDB,
                        MVSTORE,
                        EHCACHE,
                        CAFFEINE,
                        REDIS_EVERYSEC),
                Table.gets(ALL, TTL_STORE_DEFAULT, TTL_STORE, SQLITE, PLAIN, ROCKSDB),
                new Table(
                        "Put.overwrite",
                        1,
                        PeersInTurns::overwrite,
                        TTL_STORE,
                        SQLITE,
                        PLAIN,
                        ROCKSDB,
                        MVSTORE,
                        REDIS_EVERYSEC),
                new Table("Put.append", 1, PeersInTurns::append, TTL_STORE, SQLITE, PLAIN, ROCKSDB),
                new Table("Renew.renew", 1, PeersInTurns::renew, TTL_STORE, SQLITE, PLAIN, ROCKSDB),
                new Table("TakeAndPut.takeAndPut", 1, PeersInTurns::takeAndPut, TTL_STORE, SQLITE, PLAIN, ROCKSDB),
                new Table(
                        "Put.overwrite",
                        1,
                        PeersInTurns::overwrite,
                        TTL_STORE_FULL,
                        SQLITE_FULL,
                        PLAIN_FULL,
                        ROCKSDB_SYNC,
                        MAPDB,
                        MVSTORE_SYNC,
                        REDIS_ALWAYS),
                new Table("SharedPut.by8Threads", 8, PeersInTurns::overwrite, synced),
                new Table("SharedPut.by32Threads", 32, PeersInTurns::overwrite, synced),
                new Table("SharedPut.by128Threads", 128, PeersInTurns::overwrite, synced));
    }

    /** Measures. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            throw new IllegalArgumentException("Name the file for the results");
        }
        Path file = Path.of(args[0]);
        PeersInTurns turns = new PeersInTurns(number(args, 1, "rounds", 20), number(args, 3, "bytes of a value", 100));
        String pattern = args.length > 2 ? args[2] : ".*";
        List<Table> wanted = tables().stream()
                .filter(table -> table.benchmark().matches(pattern))
                .toList();
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException("No name matches " + pattern + ": "
                    + tables().stream().map(Table::benchmark).distinct().toList());
        }
        for (Table table : wanted) {
            turns.measure(table);
            // After each table, so that a failure of a later one leaves the earlier results.
            Files.writeString(
                    file, new GsonBuilder().setPrettyPrinting().create().toJson(turns.measured));
        }
    }

    private static int number(String[] args, int index, String what, int usual) {
        if (args.length <= index) {
            return usual;
        }
        if (!args[index].matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("The number of " + what + " must be 1 or more, not " + args[index]);
        }
        return Integer.parseInt(args[index]);
    }

    private void measure(Table table) throws InterruptedException {
        List<Configuration> peers = new ArrayList<>();
        List<Workbench<Peer>> benches = new ArrayList<>();
        try {
            for (Configuration peer : table.peers()) {
                try {
                    benches.add(Workbench.loaded(peer, size));
                    peers.add(peer);
                } catch (PeerUnavailableException e) {
                    OUT.println(e.getMessage());
                }
            }
            tell(table, peers, new TurnTaking(TURN, WARM_UP, rounds).of(callers(table, benches)));
        } finally {
            benches.forEach(Workbench::close);
        }
    }

    private static List<List<Callers.Call>> callers(Table table, List<Workbench<Peer>> benches) {
        return benches.stream()
                .map(bench -> Collections.nCopies(table.threads(), table).stream()
                        .map(each -> (Callers.Call) new Caller(bench, each))
                        .toList())
                .toList();
    }

    /** One thread of a side. */
    private static final class Caller implements Callers.Call {

        private final Workbench<Peer> bench;
        private final Table table;
        private final RandomEntry random = new RandomEntry();

        @SuppressWarnings("unused") // whoever writes a field has made an object
        private @Nullable Object kept;

        Caller(Workbench<Peer> bench, Table table) {
            this.bench = bench;
            this.table = table;
        }

        @Override
        public void run() {
            for (int i = 0; i < table.times(); i++) {
                kept = table.operation().run(bench, random);
            }
        }
    }

    private static @Nullable Object overwrite(Workbench<Peer> bench, RandomEntry random) {
        bench.overwrite(random);
        return null;
    }

    private static @Nullable Object append(Workbench<Peer> bench, RandomEntry random) {
        bench.append(random);
        return null;
    }

    private static Object renew(Workbench<Peer> bench, RandomEntry random) {
        return Renew.renew((EntryPeer) bench.peer(), bench.data(), random);
    }

    private static Object takeAndPut(Workbench<Peer> bench, RandomEntry random) {
        return TakeAndPut.takeAndPut((EntryPeer) bench.peer(), bench.data(), random);
    }

    private void tell(Table table, List<Configuration> peers, Rounds reached) {
        String hot = !table.isGet() ? "" : table.hot() == ALL ? " of all entries" : " of " + table.hot() + " entries";
        OUT.printf(
                "%n### %s%s, %d bytes%n%n| | Per second | %s beside it |%n|---|--:|--:|%n",
                table.benchmark(), hot, size.valueSize, peers.get(0).title());
        for (int side = 0; side < peers.size(); side++) {
            OUT.printf(
                    "| %s | %,.0f | %s |%n",
                    peers.get(side).title(),
                    reached.median(side) * table.times(),
                    side == 0 ? "" : reached.ratio(0, side));
            double[] rates = reached.of(side);
            for (int i = 0; i < rates.length; i++) {
                rates[i] *= table.times();
            }
            measured.add(result(table, peers.get(side), rates));
        }
    }

    /** As JMH writes it. */
    private Map<String, Object> result(Table table, Configuration peer, double[] rates) {
        Map<String, String> params = new HashMap<>();
        params.put("peer", peer.name());
        params.put("entries", String.valueOf(size.entries));
        params.put("valueSize", String.valueOf(size.valueSize));
        if (table.isGet()) {
            params.put("hot", String.valueOf(Math.min(table.hot(), size.entries)));
        }
        return Map.of(
                "benchmark",
                PeersInTurns.class.getPackageName() + "." + table.benchmark(),
                "params",
                params,
                "primaryMetric",
                Map.of("scoreUnit", "ops/s", "rawData", new double[][] {rates}));
    }
}
