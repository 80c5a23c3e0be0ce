package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The Javadoc of the types that applications use, read from the sources. */
class JavadocTests {

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:\\w+ |non-sealed )*(?:class|interface|record|enum) ");

    /** Words that make a reader begin the sentence again, and a condition that stands between a verb and what belongs to it. */
    private static final Pattern TWISTED =
            Pattern.compile("(?i)\\b(?:is told|are told|anew|whoever|of which|of whom)\\b"
                    + "|\\bif [^.,]{1,60} with an? (?:expiry|ttl), as\\b");

    private static List<Path> publicTypes(String folder) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/ttlstore", folder))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> PUBLIC_TYPE.matcher(text(file)).find())
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what stands before the type: imports, its comment and its annotations. */
    private static String head(Path file) {
        String text = text(file);
        Matcher type = PUBLIC_TYPE.matcher(text);
        return type.find() ? text.substring(0, type.start()) : "";
    }

    private static String comments(Path file) {
        return String.join(
                "\n",
                text(file).lines().filter(line -> line.matches("\\s*/?\\*.*")).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "event",
                "exception",
                "expiry",
                "export",
                "jcache",
                "postgresql",
                "sqlite",
                "transaction",
                "verification"
            })
    void everyPublicTypeSaysSinceWhenAndReadsInOnePass(String folder) throws IOException {
        assertThat(publicTypes(folder)).isNotEmpty().allSatisfy(file -> {
            assertThat(head(file)).contains("\n * @since ");
            assertThat(comments(file)).doesNotContainPattern(TWISTED);
        });
    }
}
