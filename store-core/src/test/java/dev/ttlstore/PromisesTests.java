package dev.ttlstore;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;
import org.junit.platform.commons.support.AnnotationSupport;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Each promise of the design is held by a test that names it, and on each engine by one of the contract. */
class PromisesTests {

    /** What concerns the file of the embedded engine only. */
    private static final Set<Integer> OF_A_FILE = Set.of(20, 21);

    /** What codecs keep, before a value reaches an engine; for JSON, the starter's. */
    private static final Set<Integer> OF_CODECS = Set.of(25);

    /** A class of tests or of a contract, or one within it. */
    private static final Pattern CLASS_WITH_TESTS = Pattern.compile(".*(Tests|Contract)(\\$\\w+)?\\.class");

    /** An area of the contract, which each engine runs. */
    private static final Pattern AREA = Pattern.compile("dev.ttlstore.contract.\\w+Contract\\.class");

    @Test
    void eachPromiseIsNamedByATest() throws IOException, URISyntaxException {
        SortedSet<Integer> expected =
                new TreeSet<>(IntStream.rangeClosed(1, 25).boxed().toList());
        assertThat(named(CLASS_WITH_TESTS)).containsExactlyElementsOf(expected);
        expected.removeAll(OF_A_FILE);
        expected.removeAll(OF_CODECS);
        assertThat(named(AREA)).containsExactlyElementsOf(expected);
    }

    /** Reads the classes of the tests without initializing them. */
    private static SortedSet<Integer> named(Pattern classes) throws IOException, URISyntaxException {
        Path root = Path.of(PromisesTests.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        SortedSet<Integer> numbers = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.map(file -> root.relativize(file).toString())
                    .filter(file -> classes.matcher(file).matches())
                    .flatMap(file -> Stream.of(load(file).getDeclaredMethods()))
                    .forEach(method -> numbers.addAll(promises(method)));
        }
        return numbers;
    }

    private static Class<?> load(String file) {
        String name = file.substring(0, file.length() - ".class".length()).replace(File.separatorChar, '.');
        try {
            return Class.forName(name, false, PromisesTests.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Integer> promises(Method method) {
        boolean test = AnnotationSupport.isAnnotated(method, Test.class)
                || AnnotationSupport.isAnnotated(method, TestTemplate.class);
        Promise ofMethod = method.getAnnotation(Promise.class);
        Promise promise =
                ofMethod != null ? ofMethod : method.getDeclaringClass().getAnnotation(Promise.class);
        return test && promise != null ? IntStream.of(promise.value()).boxed().toList() : List.of();
    }
}
