package dev.ttlstore.sample.startup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures how long a web application takes to start without the starter and with it, in turns, and prints a table. Its name
 * is none of a test, so it runs when it is asked for: {@code -Dtest=StartupCost}, with {@code -Dstarts=20} of each kind.
 */
class StartupCost {

    private static final Pattern STARTED = Pattern.compile("Started BareApplication in ([0-9.]+) seconds");

    /** What the starter brings to the class path. */
    private static final Pattern STARTER = Pattern.compile(
            "store-core|store-spring-boot-starter|sqlite-jdbc|caffeine|jmustache|sample-app.target.classes");

    private enum Kind {
        WITHOUT,
        WITH
    }

    @TempDir
    private Path folder;

    @Test
    void startsInTurns() throws Exception {
        int starts = Integer.getInteger("starts", 20);
        Map<Kind, List<Double>> seconds = new EnumMap<>(Kind.class);
        for (int i = 0; i < starts; i++) {
            for (Kind kind : Kind.values()) {
                seconds.computeIfAbsent(kind, unused -> new ArrayList<>()).add(start(kind));
            }
        }
        double without = median(seconds.getOrDefault(Kind.WITHOUT, List.of()));
        seconds.forEach((kind, all) ->
                System.out.printf(Locale.ROOT, "| %s | %.2f s | %.2f |%n", kind, median(all), median(all) / without));
    }

    private double start(Kind kind) throws IOException, InterruptedException {
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(kind),
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

    private static double awaitStart(Process process, Path log) throws IOException, InterruptedException {
        while (process.isAlive()) {
            Matcher started = STARTED.matcher(Files.readString(log));
            if (started.find()) {
                return Double.parseDouble(started.group(1));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IllegalStateException(Files.readString(log));
    }

    private static String classPath(Kind kind) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> kind == Kind.WITH || !STARTER.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static double median(List<Double> seconds) {
        return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
    }
}
