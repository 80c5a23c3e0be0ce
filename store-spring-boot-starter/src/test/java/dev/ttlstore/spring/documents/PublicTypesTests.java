package dev.ttlstore.spring.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A reader of the Javadoc learns from which release on a type can be used. */
class PublicTypesTests {

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:(?:final|abstract|sealed) )*(?:class|interface|record|enum|@interface) ", Pattern.MULTILINE);

    private static final Pattern SINCE = Pattern.compile("^ \\* @since \\d+\\.\\d+$", Pattern.MULTILINE);

    @Test
    void eachPublicTypeSaysSinceWhenItExists() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<Path> types = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> PUBLIC_TYPE.matcher(source(file)).find())
                    .toList();
            assertThat(types).isNotEmpty();
            assertThat(types)
                    .as("public types with '@since' and a release in their Javadoc")
                    .allMatch(file -> SINCE.matcher(source(file)).find());
        }
    }

    private static String source(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
