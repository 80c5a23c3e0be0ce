package dev.ttlstore.postgresql.campaign;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.postgresql.TestServer;

import ch.qos.logback.classic.Level;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A node: it works and pauses as the lines of its input say, and writes what it does to a journal. */
final class NodeProgram {

    static final String RUN = "run";
    static final String PAUSE = "pause";
    static final String END = "end";

    static final String READY = "ready";
    static final String PAUSED = "paused";
    static final String ENDED = "ended";

    /** The file that says how to connect, as {@link Servers} writes it. */
    static final String SERVERS = "servers";

    private static final int CONNECTIONS = 6;

    private static final int WATCHED = 100_000;

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Journal journal;
    private final Store store;
    private final String process;
    private int marks;

    private NodeProgram(Journal journal, Store store, String process) {
        this.journal = journal;
        this.store = store;
        this.process = process;
    }

    static Path journal(Path folder, String process) {
        return folder.resolve(process + ".journal");
    }

    /** Takes the folder of the campaign, a name for the process that was not used before, and a seed. */
    public static void main(String[] arguments) throws IOException {
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(Level.WARN);
        Path folder = Path.of(arguments[0]);
        String process = arguments[1];
        long seed = Long.parseLong(arguments[2]);
        Journal journal = new Journal(journal(folder, process));
        try (HikariDataSource pool = pool(folder);
                Store store = persistently(() -> Store.builder()
                        .engine(engine(pool, seed).schema(Names.SCHEMA))
                        .purgeInterval(Duration.ofMillis(500))
                        .open())) {
            new NodeProgram(journal, store, process).run(seed);
        } catch (RuntimeException | Error e) {
            wrong(journal, e);
        }
        System.out.println(ENDED);
    }

    /** For some nodes the server decides all that it can, for others only what it would nearby. */
    private static PostgreSql engine(DataSource source, long seed) {
        PostgreSql engine = PostgreSql.on(source);
        return seed % 2 == 0 ? TestServer.deciding(engine) : engine;
    }

    private static HikariDataSource pool(Path folder) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(new CurrentServers(folder.resolve(SERVERS)));
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(5));
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Connects to the primary among the servers that a file names at the moment. */
    private static final class CurrentServers extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;

        private final transient Path file;

        private CurrentServers(Path file) {
            this.file = file;
        }

        @Override
        public Connection getConnection() throws SQLException {
            PGSimpleDataSource now = new PGSimpleDataSource();
            try {
                List<String> lines = Files.readAllLines(file);
                now.setUrl(lines.get(0));
                now.setUser(lines.get(1));
                now.setPassword(lines.get(2));
            } catch (IOException e) {
                throw new SQLException(e);
            }
            return now.getConnection();
        }
    }

    /** Repeats what fails while there is no server. */
    private static <T> T persistently(Supplier<T> step) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return step.get();
            } catch (StoreException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    static void wrong(Journal journal, Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        journal.write(Journal.WRONG, trace);
    }

    private void run(long seed) throws IOException {
        // The load goes through the store, not through this object; the quota is the store's from now on.
        store.scope(Names.TENANT, new Quota(Names.MAX_KEYS, Names.MAX_GROUPS, 0));
        Subscription subscription = persistently(() -> store.onExpired(Names.SUBSCRIBER, Names.BRIEF, this::handle));
        Watch watch = persistently(
                () -> store.watch(WatchOptions.defaults().ofGroup(Names.OWN).withCapacity(WATCHED)));
        Thread reader = new Thread(() -> read(watch), "watch");
        reader.start();
        journal.write(Journal.WATCHING, mark());
        System.out.println(READY);
        NodeLoad load = new NodeLoad(store, journal, process, seed);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String order = orders.readLine(); !END.equals(order); order = orders.readLine()) {
            if (order == null) {
                Runtime.getRuntime().halt(1); // nobody is there any more
            } else if (order.equals(RUN)) {
                load.start();
            } else if (order.equals(PAUSE)) {
                load.stop();
                mark();
                System.out.println(PAUSED);
            }
        }
        subscription.close();
        watch.close();
    }

    /** Makes a change that every watch must see, or a gap before it. */
    private long mark() {
        return persistently(() -> store.group(Names.OWN).put("mark-" + process + "-" + marks++, process));
    }

    private void handle(ExpiredEntry<String> entry) {
        journal.write(Journal.HANDLED, entry.key(), entry.version(), entry.value());
    }

    private void read(Watch watch) {
        try {
            for (WatchSignal signal : watch) {
                if (signal instanceof WatchSignal.Change change) {
                    journal.write(Journal.SEEN, change.event().sequence());
                } else if (signal instanceof WatchSignal.Gap gap) {
                    journal.write(Journal.GAP, gap.fromSequence(), gap.missed());
                }
            }
        } catch (RuntimeException | Error e) {
            wrong(journal, e);
        }
    }
}
