package dev.ttlstore.sample.startup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures how long a web application takes to start without the starter and with it, and how much of the processors' time, in
 * turns, and prints a table. Its name is none of a test, so it runs when it is asked for: {@code -Dtest=StartupCost}, with
 * {@code -Dstarts=20} of each kind. The modules are packed first, for a folder in the class path makes the loading of all other
 * classes slower.
 */
class StartupCost {

    private static final Pattern STARTED = Pattern.compile("Started BareApplication in ([0-9.]+) seconds");

    /** What the starter brings to the class path. */
    private static final Pattern STARTER =
            Pattern.compile("store-core|store-spring-boot-starter|sqlite-jdbc|caffeine|jmustache");

    /** The sample itself, and what it needs for PostgreSQL: no part of either. */
    private static final Pattern SAMPLE =
            Pattern.compile("sample-app.target.classes|spring-boot-(sql|jdbc)|spring-jdbc|HikariCP|postgresql");

    private enum Kind {
        WITHOUT,
        WITH
    }

    /** What a start has cost, in seconds. */
    private record Cost(double elapsed, double cpu) {}

    @TempDir
    private Path folder;

    /** What it has unpacked is found at the start by the native library's loader, so it is the same for both, and empty. */
    @TempDir
    private Path temporaryFiles;

    @Test
    void startsInTurns() throws Exception {
        int starts = Integer.getInteger("starts", 20);
        Map<Kind, String> classPaths = Map.of(Kind.WITHOUT, classPath(Kind.WITHOUT), Kind.WITH, classPath(Kind.WITH));
        Map<Kind, List<Cost>> costs = new EnumMap<>(Kind.class);
        for (int i = 0; i < starts; i++) {
            for (Kind kind : Kind.values()) {
                costs.computeIfAbsent(kind, unused -> new ArrayList<>()).add(start(classPaths.getOrDefault(kind, "")));
            }
        }
        List<Cost> without = costs.getOrDefault(Kind.WITHOUT, List.of());
        costs.forEach((kind, all) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.2f s | %.2f | %.2f s | %.2f |%n",
                kind,
                median(all, Cost::elapsed),
                median(all, Cost::elapsed) / median(without, Cost::elapsed),
                median(all, Cost::cpu),
                median(all, Cost::cpu) / median(without, Cost::cpu)));
    }

    private Cost start(String classPath) throws IOException, InterruptedException {
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporaryFiles,
                        "-cp",
                        classPath,
                        BareApplication.class.getName(),
                        "--spring.config.location=optional:classpath:/none/",
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--store.path=" + folder.resolve("store.db"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            return awaitStart(process, log);
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Cost awaitStart(Process process, Path log) throws IOException, InterruptedException {
        while (process.isAlive()) {
            Matcher started = STARTED.matcher(Files.readString(log));
            if (started.find()) {
                Duration cpu = process.info().totalCpuDuration().orElseThrow();
                return new Cost(Double.parseDouble(started.group(1)), cpu.toMillis() / 1e3);
            }
            TimeUnit.MILLISECONDS.sleep(10); // the time of the processors goes on after the start
        }
        throw new IllegalStateException(Files.readString(log));
    }

    private String classPath(Kind kind) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!SAMPLE.matcher(entry).find()
                    && (kind == Kind.WITH || !STARTER.matcher(entry).find())) {
                boolean module = STARTER.matcher(entry).find() && Files.isDirectory(Path.of(entry));
                entries.add(module ? packed(Path.of(entry)).toString() : entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private Path packed(Path classes) throws IOException {
        Path jar = Files.createTempFile(folder, "module", ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> part) {
        return costs.stream()
                .mapToDouble(part)
                .sorted()
                .skip(costs.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
