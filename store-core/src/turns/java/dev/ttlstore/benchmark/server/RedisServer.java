package dev.ttlstore.benchmark.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A Redis server of our own, reachable from this machine alone, with its files in a folder of ours. */
public final class RedisServer implements AutoCloseable {

    /** The address on which it listens. */
    public static final String HOST = "127.0.0.1";

    private static final Duration START_TIME = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    /** Ends the server when the JVM is ended in the midst of a benchmark. */
    private final Thread hook;

    private RedisServer(Process process, int port) {
        this.process = process;
        this.port = port;
        this.hook = new Thread(process::destroy, "redis-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Starts a server that logs each write.
     *
     * @param folder the folder for its files
     * @param fsync when it syncs its log: "everysec" or "always"
     * @throws PeerUnavailableException if there is no redis-server on the PATH
     */
    public static RedisServer start(Path folder, String fsync) {
        Path program = onPath().orElseThrow(
                        () -> new PeerUnavailableException("Redis is skipped: there is no redis-server on the PATH"));
        int port = freePort();
        try {
            Process process = new ProcessBuilder(
                            program.toString(),
                            "--port",
                            String.valueOf(port),
                            "--bind",
                            HOST,
                            "--dir",
                            folder.toString(),
                            "--save",
                            "",
                            "--appendonly",
                            "yes",
                            "--appendfsync",
                            fsync)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis.log").toFile())
                    .start();
            RedisServer server = new RedisServer(process, port);
            try {
                server.awaitReady();
                return server;
            } catch (RuntimeException | Error e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> onPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        long end = System.nanoTime() + START_TIME.toNanos();
        @Nullable IOException last = null;
        while (true) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.setSoTimeout((int) START_TIME.toMillis());
                client.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
                if (client.getInputStream().read() == '+') { // PONG; an error, such as LOADING, begins with '-'
                    return;
                }
            } catch (IOException e) {
                last = e;
            }
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("redis-server does not answer", last);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the port on which it listens. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
