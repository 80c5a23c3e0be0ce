package dev.ttlstore.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

/** The sample in a process of its own, so that it can be killed. */
public final class SampleProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;

    private SampleProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static SampleProcess start(Path store) throws IOException {
        return start(requireNonNull(store.getParent()), true, false, List.of("--store.path=" + store));
    }

    /** Starts it from the context that the build has processed ahead of time. */
    public static SampleProcess startAheadOfTime(Path store, String... properties) throws IOException {
        return startAheadOfTime(store, true, properties);
    }

    /** Starts it as {@link #startAheadOfTime} does, so that it is soon as fast as in production. */
    public static SampleProcess startForLoad(Path store, String... properties) throws IOException {
        return startAheadOfTime(store, false, properties);
    }

    private static SampleProcess startAheadOfTime(Path store, boolean quickly, String... properties)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("--store.path=" + store);
        return start(requireNonNull(store.getParent()), quickly, true, all);
    }

    /** Starts it as one of several nodes, with its log in a folder. */
    static SampleProcess startNode(Path folder, List<String> properties) throws IOException {
        List<String> all = new ArrayList<>(properties);
        all.add("--spring.profiles.active=" + OnThreeNodes.PROFILE);
        return start(folder, true, false, all);
    }

    /** Starts it, quickly so that it will be slower, or not. */
    private static SampleProcess start(Path folder, boolean quickly, boolean aheadOfTime, List<String> properties)
            throws IOException {
        Path log = Files.createTempFile(folder, "sample", ".log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        if (quickly) {
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        command.addAll(List.of(
                "-Dspring.aot.enabled=" + aheadOfTime,
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName(),
                "--server.port=0",
                "--secrets.create-limit=1000000", // clients create as many as they can
                "--secrets.create-bytes=1TB",
                "--server.address=127.0.0.1"));
        command.addAll(properties);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new SampleProcess(process, log);
    }

    long pid() {
        return process.pid();
    }

    public SampleClient client() {
        return new SampleClient(awaitPort());
    }

    /** The port that it listens on, once it does. */
    public int awaitPort() {
        return await().atMost(START_LIMIT).until(this::port, port -> port > 0);
    }

    private int port() {
        if (!process.isAlive()) {
            throw new IllegalStateException("The sample has ended: " + output());
        }
        Matcher line = PORT.matcher(output());
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }

    /** What {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    public String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
