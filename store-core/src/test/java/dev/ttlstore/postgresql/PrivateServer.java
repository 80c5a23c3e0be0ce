package dev.ttlstore.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server of a test's own, on a port of loopback that stays the same over restarts. It does not sync its files: its
 * data survives its own death, but not that of the machine. Closing it stops it and deletes its data. Not thread-safe, except for
 * the data sources.
 */
public final class PrivateServer implements AutoCloseable {

    /** A role that owns nothing and may create schemas, as an application's. */
    public static final String APPLICATION = "ttl_store_app";

    /** The superuser. */
    static final String ADMIN = "postgres";

    public static final String DATABASE = "postgres";

    /** How a server is stopped that may say good-bye. */
    enum Stop {
        /** Ends its connections and writes a checkpoint. */
        FAST,
        /** Ends its connections and leaves the rest to the recovery at the next start. */
        IMMEDIATE
    }

    /** The first version whose databases may have an order of texts of ICU, and that names the functions for a copy as here. */
    private static final int FIRST_WITH_ICU = 15;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Set<PrivateServer> STARTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(PrivateServer::stopAll, "stop PostgreSQL"));
    }

    private final Path folder;
    private final int port;
    private final Map<String, String> settings;

    private @Nullable Process postmaster;

    private PrivateServer(Path folder, int port, Map<String, String> settings) {
        this.folder = folder;
        this.port = port;
        this.settings = settings;
    }

    /** Creates a database cluster in a fresh folder, in memory if there is room, and starts a server on it. */
    public static PrivateServer create() throws IOException {
        return create(ServerFolders.fresh(), Map.of());
    }

    /**
     * Creates a database cluster and starts a server on it.
     *
     * @param folder the folder for the data, empty or absent
     * @param settings settings of the server, by name
     */
    static PrivateServer create(Path folder, Map<String, String> settings) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-D", folder.toString(), "-U", ADMIN, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"));
        if (Binaries.version() >= FIRST_WITH_ICU) {
            // Its order of texts is not that of their bytes, as in most databases of others.
            arguments.addAll(List.of("--locale-provider=icu", "--icu-locale=en-US"));
        }
        Binaries.run("initdb", arguments);
        PrivateServer server = new PrivateServer(folder, freePort(), withDefaults(settings));
        server.start();
        server.execute(
                "CREATE ROLE " + APPLICATION + " LOGIN", "GRANT CREATE ON DATABASE " + DATABASE + " TO " + APPLICATION);
        return server;
    }

    private static Map<String, String> withDefaults(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("fsync", "off");
        // Or plans, and with them how long tests take, depend on when it looks at tables that tests fill and empty.
        all.put("autovacuum", "off");
        all.put("synchronous_commit", "on");
        all.put("max_connections", "300");
        all.put("max_prepared_transactions", "4");
        all.put("shared_buffers", "128MB");
        all.put("max_wal_size", "512MB");
        all.put("wal_keep_size", "128MB");
        all.put("log_min_error_statement", "panic");
        if (!Binaries.WINDOWS) {
            // In its folder, so that nothing of it is left in the system if it is killed.
            all.put("dynamic_shared_memory_type", "mmap");
            all.put("unix_socket_directories", "");
        }
        all.putAll(settings);
        return all;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Returns the port on loopback, which stays the same over restarts. */
    public int port() {
        return port;
    }

    /** Returns the folder of the data. */
    Path folder() {
        return folder;
    }

    /** Creates a data source for the role without special rights. It opens a connection whenever it is asked for one. */
    public PGSimpleDataSource dataSource() {
        return dataSource(APPLICATION);
    }

    /** Creates a data source for the superuser. */
    public PGSimpleDataSource admin() {
        return dataSource(ADMIN);
    }

    private PGSimpleDataSource dataSource(String user) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE + "?sslmode=disable&gssEncMode=disable");
        source.setUser(user);
        return source;
    }

    /** Runs statements as the superuser, each on its own. */
    public void execute(String... statements) {
        try (Connection connection = admin().getConnection();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts the server, which is stopped or was killed, and waits until it accepts connections. */
    public void start() throws IOException {
        if (running()) {
            throw new IllegalStateException("The server runs already");
        }
        List<String> arguments = new ArrayList<>(
                List.of("-D", folder.toString(), "-p", Integer.toString(port), "-c", "listen_addresses=127.0.0.1"));
        settings.forEach((name, value) -> {
            arguments.add("-c");
            arguments.add(name + "=" + value);
        });
        Process process = new ProcessBuilder(Binaries.command("postgres", arguments))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        postmaster = process;
        STARTED.add(this);
        awaitConnections(process);
    }

    private void awaitConnections(Process process) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try (Connection connection = admin().getConnection()) {
                connection.isValid(1);
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new IOException("The server did not start: " + Files.readString(log()), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    /** Returns whether the server's process lives. */
    boolean running() {
        return postmaster != null && postmaster.isAlive();
    }

    /** Kills the server's processes at once, as when memory runs out, and waits until they have gone. */
    public void kill() {
        Process process = postmaster;
        if (process == null) {
            return;
        }
        List<ProcessHandle> backends = process.descendants().toList();
        process.destroyForcibly();
        backends.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
        backends.forEach(backend -> backend.onExit().join());
        postmaster = null;
        STARTED.remove(this);
    }

    /** Stops the server and waits until it has stopped. */
    void stop(Stop how) throws IOException {
        Process process = postmaster;
        if (process == null) {
            return;
        }
        Binaries.run(
                "pg_ctl",
                List.of("stop", "-D", folder.toString(), "-m", how == Stop.FAST ? "fast" : "immediate", "-w"));
        process.onExit().join();
        postmaster = null;
        STARTED.remove(this);
    }

    /** Stops the server if it runs, and starts it. */
    void restart() throws IOException {
        stop(Stop.FAST);
        start();
    }

    /** Restarts the server with its write-ahead log in another folder, such as one on a small disk. */
    void moveLogTo(Path target) throws IOException {
        stop(Stop.FAST);
        Path log = folder.resolve("pg_wal");
        try (Stream<Path> files = Files.walk(log)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(log.relativize(file)));
            }
        }
        ServerFolders.delete(log);
        Files.createSymbolicLink(log, target);
        start();
    }

    /**
     * Copies this running server's data for a standby of it, on a port of its own. The standby follows this server once it is
     * started.
     *
     * @param copy the folder for the copy, empty or absent
     * @return the standby, not started
     */
    public PrivateServer copyTo(Path copy) throws IOException {
        Files.createDirectories(copy);
        try (Connection connection = admin().getConnection();
                Statement statement = connection.createStatement()) {
            boolean old = Binaries.version() < FIRST_WITH_ICU;
            statement.execute(
                    old ? "SELECT pg_start_backup('copy', true, false)" : "SELECT pg_backup_start('copy', true)");
            copyFiles(copy);
            try (ResultSet label = statement.executeQuery(
                    "SELECT labelfile FROM " + (old ? "pg_stop_backup(false, false)" : "pg_backup_stop(false)"))) {
                label.next();
                Files.writeString(copy.resolve("backup_label"), label.getString(1));
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "\nprimary_conninfo = 'host=127.0.0.1 port=" + port + " user=" + ADMIN + "'\n",
                StandardOpenOption.APPEND);
        return new PrivateServer(copy, freePort(), settings);
    }

    private void copyFiles(Path copy) throws IOException {
        Set<Path> empty = Set.of(folder.resolve("pg_wal"), folder.resolve("pg_dynshmem"));
        Set<Path> left = Set.of(folder.resolve("postmaster.pid"), folder.resolve("postmaster.opts"), log());
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {

            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                Path target = copy.resolve(folder.relativize(visited));
                Files.createDirectories(target);
                if (!Binaries.WINDOWS) {
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(visited));
                }
                return empty.contains(visited) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!left.contains(file)) {
                    try {
                        Files.copy(file, copy.resolve(folder.relativize(file)));
                    } catch (NoSuchFileException e) {
                        // Dropped meanwhile; the log of the copy's time says so.
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
    }

    /** Returns how many standbys receive what is written here. */
    int standbys() throws SQLException {
        try (Connection connection = admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM pg_stat_replication")) {
            result.next();
            return result.getInt(1);
        }
    }

    /** Waits until a standby of this server has replayed everything that was written here so far. */
    public void awaitReplayBy(PrivateServer standby) throws SQLException {
        try (Connection here = admin().getConnection();
                Connection there = standby.admin().getConnection();
                Statement writer = here.createStatement();
                Statement reader = there.createStatement()) {
            String position;
            try (ResultSet result = writer.executeQuery("SELECT pg_current_wal_flush_lsn()")) {
                result.next();
                position = result.getString(1);
            }
            long start = System.nanoTime();
            while (true) {
                try (ResultSet result =
                        reader.executeQuery("SELECT pg_last_wal_replay_lsn() >= '" + position + "'::pg_lsn")) {
                    result.next();
                    if (result.getBoolean(1)) {
                        return;
                    }
                }
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw new IllegalStateException("The standby has not come to " + position);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    /** Makes a running standby a primary, and waits until it is one. */
    public void promote() {
        execute("SELECT pg_promote()");
    }

    @Override
    public void close() throws IOException {
        try {
            stop(Stop.IMMEDIATE);
        } finally {
            kill();
            ServerFolders.delete(folder);
        }
    }

    private static void stopAll() {
        for (PrivateServer server : STARTED) {
            try {
                server.close();
            } catch (IOException e) {
                System.err.println("A PostgreSQL server was not cleared up: " + e);
            }
        }
    }
}
