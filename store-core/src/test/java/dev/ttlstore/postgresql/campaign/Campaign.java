package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.ttlstore.engine.Change;
import dev.ttlstore.postgresql.LogHistory;
import dev.ttlstore.postgresql.TestServer;

/** Three nodes in processes of their own, and the rounds in which some of them, or the server, die. */
final class Campaign implements AutoCloseable {

    private static final int NODES = 3;

    /** What dies in a round. */
    enum Fault {
        NODE,
        NODE_AND_SERVER,
        NODE_AND_PRIMARY,
        PRIMARY
    }

    private final long seed;
    private final int loadMillis;
    private final Path folder;
    private final Servers cluster;
    private final List<Node> nodes = new ArrayList<>();
    private final List<ProcessJournal> dead = new ArrayList<>();
    private final Ledger ledger = new Ledger();
    private final LogHistory history = new LogHistory(Names.SCHEMA);
    private final Findings findings = new Findings();
    private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private int processes;
    private int round;
    private long gaps;

    private interface Action {
        void run() throws IOException, InterruptedException, SQLException;
    }

    private record Event(int millis, Action action) {}

    Campaign(Path folder, long seed, int loadMillis) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.seed = seed;
        this.loadMillis = loadMillis;
        Path servers = folder.resolve(NodeProgram.SERVERS);
        this.cluster = TestServer.isGiven() ? new GivenServer(servers) : new Cluster(servers);
        for (int i = 0; i < NODES; i++) {
            nodes.add(startNode(i));
        }
        for (Node node : nodes) {
            node.await(NodeProgram.READY);
        }
    }

    private Node startNode(int number) throws IOException {
        return new Node(folder, "n" + number + "p" + processes++, seed * 1_000 + processes);
    }

    /** Runs a round and returns what is wrong after it. */
    List<String> round(Fault fault) throws IOException, InterruptedException, SQLException {
        round++;
        struck.merge(fault, 1, Integer::sum);
        Random random = new Random(seed + round);
        boolean standby = fault == Fault.PRIMARY || fault == Fault.NODE_AND_PRIMARY;
        if (standby) {
            cluster.prepareStandby();
        }
        List<Event> events = new ArrayList<>();
        if (fault != Fault.PRIMARY) {
            int killed = random.nextInt(NODES);
            int down = random.nextInt(300);
            events.add(new Event(moment(random), () -> restart(killed, down)));
        }
        if (fault != Fault.NODE) {
            int down = random.nextInt(400);
            Action strike =
                    standby ? () -> cluster.failOver(() -> pause(down)) : () -> cluster.crash(() -> pause(down));
            events.add(new Event(moment(random), strike));
        }
        nodes.forEach(node -> node.tell(NodeProgram.RUN));
        long start = System.nanoTime();
        events.sort(Comparator.comparingInt(Event::millis));
        for (Event event : events) {
            pauseUntil(start, event.millis());
            event.action().run();
        }
        pauseUntil(start, loadMillis);
        for (Node node : nodes) {
            node.tell(NodeProgram.PAUSE);
        }
        for (Node node : nodes) {
            node.await(NodeProgram.PAUSED);
        }
        return check();
    }

    private int moment(Random random) {
        return 200 + random.nextInt(loadMillis * 2 / 3);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static void pauseUntil(long start, int millis) {
        long left = start + TimeUnit.MILLISECONDS.toNanos(millis) - System.nanoTime();
        if (left > 0) {
            LockSupport.parkNanos(left);
        }
    }

    private void restart(int number, int down) throws IOException, InterruptedException {
        Node killed = nodes.get(number);
        killed.kill();
        killed.close();
        killed.journal().end();
        dead.add(killed.journal());
        pause(down);
        Node next = startNode(number);
        next.tell(NodeProgram.RUN);
        nodes.set(number, next);
    }

    private List<String> check() throws IOException, InterruptedException, SQLException {
        List<String> faults = new ArrayList<>();
        try (Connection connection = cluster.admin().getConnection()) {
            List<Change> changes = history.next(connection);
            findings.versions(changes, faults);
            NavigableSet<Long> own = new TreeSet<>();
            changes.stream()
                    .filter(change -> change.group().equals(Names.OWN))
                    .forEach(change -> own.add(change.sequence()));
            readJournals(own);
            for (ProcessJournal journal : journals()) {
                if (!journal.hasEnded() && !journal.trail().hasReached(own.last())) {
                    faults.add(journal.process() + "'s watch has not come to " + own.last());
                }
                journal.trail().check(own, faults);
            }
            ledger.check(Findings.own(connection), Findings.counted(connection), own);
            Findings.usage(connection, faults);
        }
        Findings.sums(cluster.dataSource(), faults);
        dead.forEach(journal -> gaps += journal.trail().gaps());
        dead.clear();
        faults.addAll(ledger.faults());
        return faults;
    }

    /** Reads all journals until the watches have come to the end, or do not for long. */
    private void readJournals(NavigableSet<Long> own) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (true) {
            boolean reached = true;
            for (ProcessJournal journal : journals()) {
                ledger.read(journal);
                reached &= journal.hasEnded() || journal.trail().hasReached(own.last());
            }
            if (reached || System.nanoTime() > end) {
                return;
            }
            pause(20);
        }
    }

    private List<ProcessJournal> journals() {
        List<ProcessJournal> all = new ArrayList<>(dead);
        nodes.forEach(node -> all.add(node.journal()));
        return all;
    }

    /** Waits until all expiries are handled, ends the nodes, and returns what is wrong. */
    List<String> end() throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!ledger.isAllHandled() && System.nanoTime() < end) {
            pause(50);
            readJournals(new TreeSet<>(Collections.singleton(0L)));
        }
        List<String> faults = new ArrayList<>(ledger.faults());
        if (!ledger.isAllHandled()) {
            faults.add(ledger.unhandled() + " expiries were not handled, such as that of " + ledger.someUnhandled());
        }
        for (Node node : nodes) {
            node.tell(NodeProgram.END);
        }
        for (Node node : nodes) {
            node.await(NodeProgram.ENDED);
        }
        return faults;
    }

    /** Returns the figures, for people. */
    String figures() {
        long sum = gaps;
        for (Node node : nodes) {
            sum += node.journal().trail().gaps();
        }
        return round + " rounds " + struck + ", writes " + ledger.figures() + ", unhandled as yet " + ledger.unhandled()
                + ", gaps " + sum;
    }

    @Override
    public void close() throws IOException {
        for (Node node : nodes) {
            node.close();
        }
        cluster.close();
    }
}
