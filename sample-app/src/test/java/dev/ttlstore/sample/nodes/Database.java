package dev.ttlstore.sample.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL server on loopback, from binaries that are among the test dependencies. Its port stays over a restart. */
public final class Database implements AutoCloseable {

    public static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final Path data;

    private Database(EmbeddedPostgres server, Path data) {
        this.server = server;
        this.data = data;
    }

    /**
     * Starts a server.
     *
     * @param data the folder of its data, which may be absent
     * @param port the port on loopback, or zero for any
     */
    public static Database start(Path data, int port) throws IOException {
        Files.createDirectories(data);
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false); // applications in this process end first
        return new Database((port == 0 ? builder : builder.setPort(port)).start(), data);
    }

    /** Returns the address for {@code spring.datasource.url}. */
    public String url() {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?socketTimeout=30";
    }

    /** Restarts the server at once, with open transactions, as if the machine had lost power. Returns when it accepts connections. */
    public void restart() throws IOException, InterruptedException {
        // PostgreSQL notes there how it was started.
        Path program = Path.of(Files.readString(data.resolve("postmaster.opts")).split(" ", 2)[0]);
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to run as root
        }
        command.addAll(List.of(
                program.resolveSibling("pg_ctl").toString(),
                "restart",
                "--pgdata=" + data,
                "--mode=immediate",
                "--wait",
                "--log=" + data.resolve("restarted.log")));
        Process restart = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("restart.log").toFile())
                .start();
        if (restart.waitFor() != 0) {
            throw new IOException("The server was not restarted: " + Files.readString(data.resolve("restart.log")));
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a server until the process is ended.
     *
     * @param arguments the folder of the data, and the port
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Database database = start(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(database::close));
        System.out.println("The database is at " + database.url());
        new CountDownLatch(1).await();
    }
}
