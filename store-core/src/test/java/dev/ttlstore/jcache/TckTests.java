package dev.ttlstore.jcache;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.jsr107.tck.CacheTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

import static dev.ttlstore.contract.Assertions.assertThat;

/**
 * JCache's own tests, unmodified: all test classes of their jar, on a store in memory. Tests that must fail are listed with the
 * reason, and do fail. So are classes that do not apply, which are not run.
 */
@Tag("tck")
class TckTests {

    /** Tests that no provider passes, by their names. */
    private static final Map<String, String> FAILING =
            Map.of("dummyTest(org.jsr107.tck.CachingTest)", "It does nothing but fail, to try the exclusion of tests");

    /** Classes that do not apply to a provider of caches, by the start of their names. */
    private static final Map<String, String> NOT_APPLICABLE = Map.of(
            "org.jsr107.tck.annotation.",
            "They test interceptors for annotations, which a container such as Spring or CDI brings, and skip themselves"
                    + " without one");

    /** What the tests of JCache take from the system. */
    private static final Map<String, String> SETTINGS = Map.of(
            "javax.cache.CacheManager",
            StoreJCacheManager.class.getName(),
            "javax.cache.Cache",
            StoreJCache.class.getName(),
            "javax.cache.Cache.Entry",
            CachedEntry.class.getName(),
            "org.jsr107.tck.support.server.address",
            "127.0.0.1",
            JCacheProperties.URI,
            OpenStores.Location.MEMORY,
            JCacheProperties.ALLOWED_CLASSES,
            "domain.*,org.jsr107.tck.**,javax.cache.**");

    private static final Map<String, @Nullable String> before = new LinkedHashMap<>();

    @BeforeAll
    static void set() {
        SETTINGS.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
    }

    @AfterAll
    static void reset() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    @TestFactory
    Stream<DynamicContainer> tck() throws IOException, URISyntaxException, ClassNotFoundException {
        Set<String> seen = new TreeSet<>();
        List<DynamicContainer> all = containers(seen);
        all.add(DynamicContainer.dynamicContainer(
                "all", Stream.of(DynamicTest.dynamicTest("each excluded test exists", () -> assertThat(seen)
                        .containsAll(FAILING.keySet())))));
        return all.stream();
    }

    /** Runs the classes, and adds what tests they have to those that were seen. */
    private static List<DynamicContainer> containers(Set<String> seen)
            throws IOException, URISyntaxException, ClassNotFoundException {
        List<DynamicContainer> all = new ArrayList<>();
        for (Class<?> type : classes()) {
            if (NOT_APPLICABLE.keySet().stream().anyMatch(type.getName()::startsWith)) {
                continue;
            }
            Results results = run(type);
            if (results.hasOpenConnections()) {
                results = run(type);
            }
            seen.addAll(results.outcomes.keySet());
            all.add(DynamicContainer.dynamicContainer(type.getName(), results.tests()));
        }
        return all;
    }

    private static Results run(Class<?> type) {
        Results results = new Results();
        JUnitCore core = new JUnitCore();
        core.addListener(results);
        core.run(Request.aClass(type));
        return results;
    }

    private static List<Class<?>> classes() throws IOException, URISyntaxException, ClassNotFoundException {
        Path jar = Path.of(CacheTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Class<?>> found = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            List<String> names = file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.matches("[^$]*Test\\d?\\.class"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .sorted()
                    .toList();
            for (String name : names) {
                Class<?> type = Class.forName(name);
                if (!Modifier.isAbstract(type.getModifiers())) {
                    found.add(type);
                }
            }
        }
        return found;
    }

    /** What happened to each test of a class. */
    private static final class Results extends RunListener {

        private static final String PASSED = "passed";
        private static final String FAILED = "failed";
        private static final String IGNORED = "ignored";

        private final Map<String, String> outcomes = new TreeMap<>();
        private final Map<String, Throwable> failures = new TreeMap<>();

        @Override
        public void testFinished(Description description) {
            outcomes.putIfAbsent(description.getDisplayName(), PASSED);
        }

        @Override
        public void testFailure(Failure failure) {
            outcomes.put(failure.getDescription().getDisplayName(), FAILED);
            failures.put(failure.getDescription().getDisplayName(), failure.getException());
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            testFailure(failure);
        }

        @Override
        public void testIgnored(Description description) {
            outcomes.put(description.getDisplayName(), IGNORED);
        }

        /** The kit's servers count a connection until their own threads have seen its end, which the kit does not wait for. */
        boolean hasOpenConnections() {
            return failures.values().stream()
                    .anyMatch(failure -> String.valueOf(failure.getMessage()).contains("no open client connections"));
        }

        Stream<DynamicTest> tests() {
            return outcomes.keySet().stream()
                    .map(name -> DynamicTest.dynamicTest(name, () -> {
                        if (FAILING.containsKey(name)) {
                            assertThat(outcomes).as(FAILING.get(name)).containsEntry(name, FAILED);
                        } else if (failures.containsKey(name)) {
                            throw Objects.requireNonNull(failures.get(name));
                        } else {
                            assertThat(outcomes).containsEntry(name, PASSED);
                        }
                    }));
        }
    }
}
