package dev.ttlstore.spring.test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

/** Runs the test suite of a package in a process of its own, in a folder of its own, as a build would. */
final class SuiteProcess {

    private static final String RESULT = "RESULT ";

    private static final Pattern CONTEXTS = Pattern.compile("ApplicationContext cache statistics.* missCount = (\\d+)");

    /** What the starter brings into an application. */
    private static final List<String> STARTER =
            List.of("store-spring-boot-starter", "store-core", "sqlite-jdbc", "caffeine", "jmustache");

    private final Process process;
    private final Path output;

    /**
     * What has come of it.
     *
     * @param tests how each test has ended, by its name
     * @param contexts number of application contexts that were started
     * @param output all that was printed
     */
    record Outcome(SortedMap<String, String> tests, int contexts, String output) {}

    private SuiteProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static SuiteProcess start(String suite, Path folder, boolean withStarter, List<String> options) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work"));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path output = folder.resolve("output.txt");
        List<String> command = Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        Stream.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + temporary),
                        Stream.of("-Dlogging.level.org.springframework.test.context.cache=debug"),
                        options.stream(),
                        Stream.of("-cp", classPath(withStarter), SuiteProcess.class.getName(), suite))
                .flatMap(part -> part)
                .toList();
        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new SuiteProcess(process, output);
    }

    private static String classPath(boolean withStarter) {
        Path tests = Path.of("target", "test-classes").toAbsolutePath();
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> withStarter || entry.equals(tests.toString()) || !isOfTheStarter(entry))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isOfTheStarter(String entry) {
        return STARTER.stream().anyMatch(name -> Path.of(entry).toString().matches(".*[/\\\\]" + name + "[-/\\\\].*"));
    }

    Outcome await() throws IOException, InterruptedException {
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as("the suite ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(output);
        SortedMap<String, String> tests = new TreeMap<>();
        printed.lines().filter(line -> line.startsWith(RESULT)).forEach(line -> {
            int end = line.lastIndexOf(' ');
            tests.put(line.substring(RESULT.length(), end), line.substring(end + 1));
        });
        return new Outcome(tests, contexts(printed), printed);
    }

    /** Spring's cache of contexts has one miss for each context that it starts. */
    private static int contexts(String printed) {
        Matcher statistics = CONTEXTS.matcher(printed);
        int contexts = 0;
        while (statistics.find()) {
            contexts = Math.max(contexts, Integer.parseInt(statistics.group(1)));
        }
        return contexts;
    }

    /** The process. */
    public static void main(String[] arguments) {
        Launcher launcher = LauncherFactory.create();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectPackage(arguments[0]))
                        .filters(includeClassNamePatterns(".*Test"))
                        .build(),
                new Results());
        System.exit(0);
    }

    private static final class Results implements TestExecutionListener {

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
                System.out.println("\n" + RESULT + test.getUniqueId() + " " + result.getStatus());
            }
        }
    }
}
