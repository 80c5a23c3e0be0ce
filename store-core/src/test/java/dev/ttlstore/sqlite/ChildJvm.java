package dev.ttlstore.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Another process, which runs a program of these tests and can be killed. */
public final class ChildJvm implements AutoCloseable {

    /** The first release that warns of native libraries, such as SQLite's. */
    private static final int FIRST_TO_WARN = 24;

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;
    private final List<String> told = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.output = process.inputReader(UTF_8);
        this.input = new PrintWriter(process.outputWriter(UTF_8), true);
    }

    /** Starts a program on a store's file. */
    public static ChildJvm start(Class<?> program, Path file, String... arguments) throws IOException {
        return new ChildJvm(new ProcessBuilder(command(program, file, arguments))
                .redirectErrorStream(true)
                .start());
    }

    /** Starts a process that cannot write files beyond a size, in blocks of 512 or 1,024 bytes as the shell has it. */
    static ChildJvm startWithFilesUpTo(int blocks, Class<?> program, Path file) throws IOException {
        return startWithLimit("-f " + blocks, program, file);
    }

    /** Starts a process that may have no more of something, in the words of the shell's ulimit. */
    static ChildJvm startWithLimit(String words, Class<?> program, Path file) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit " + words + " && exec \"$@\"", "sh"));
        command.addAll(command(program, file));
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Starts a process with a system property. */
    static ChildJvm startWithProperty(String property, Class<?> program, Path file) throws IOException {
        return startWithOption("-D" + property, program, file);
    }

    /** Starts a process with an option of the JVM. */
    static ChildJvm startWithOption(String option, Class<?> program, Path file) throws IOException {
        List<String> command = command(program, file);
        command.add(command.indexOf("-cp"), option); // after those of every program, because the last one counts
        return new ChildJvm(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static List<String> command(Class<?> program, Path file, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", // as the cheapest to start
                "-XX:-UsePerfData"));
        if (Runtime.version().feature() >= FIRST_TO_WARN) {
            command.add("--enable-native-access=ALL-UNNAMED"); // or it prints a warning between what the program says
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName(), file.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The process. */
    public long pid() {
        return process.pid();
    }

    /** The next line that the process prints; null when it has ended. */
    public @Nullable String nextLine() throws IOException {
        String line = output.readLine();
        if (line != null) {
            told.add(line);
        }
        return line;
    }

    /** Waits for a line that begins with a word, and returns what follows it. */
    public String await(String word) throws IOException {
        for (String line = nextLine(); line != null; line = nextLine()) {
            if (line.startsWith(word)) {
                return line.substring(word.length()).trim();
            }
        }
        throw new AssertionError("The process has ended without saying '" + word + "', but said: " + told);
    }

    /** What the process has printed and was read so far. */
    public List<String> told() {
        return List.copyOf(told);
    }

    /** Says a line to the process. */
    public void tell(String line) {
        input.println(line);
    }

    /** Ends the process with SIGKILL, so that it can tidy up nothing. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly(); // which, unlike the process's own, leaves its output readable
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("The process could not be killed");
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        input.close();
        output.close();
    }
}
