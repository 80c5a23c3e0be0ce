package dev.ttlstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Assertions;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What keeps the sources of the tests quick to compile. */
class TestSourcesTests {

    /** {@link Assertions} says why. */
    @Test
    void assertThatIsTheOneWithFewForms() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(TestSourcesTests::importsThatOfAssertJ))
                    .isEmpty();
        }
    }

    private static boolean importsThatOfAssertJ(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch("import static org.assertj.core.api.Assertions.assertThat;"::equals);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
