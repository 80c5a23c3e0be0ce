package dev.ttlstore.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the README of the sample shows of it is what there is. */
class ReadmeTests {

    private static final int PICTURE_LIMIT = 150_000;

    private final String readme = read(Path.of("README.md"));

    @Test
    void everySnippetIsInTheCode() throws IOException {
        String code;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            code = files.filter(Files::isRegularFile).map(ReadmeTests::read).collect(Collectors.joining());
        }
        assertThat(found("```java\n(.*?)```")).hasSizeGreaterThan(10).allSatisfy(snippet -> assertThat(flat(code))
                .contains(flat(snippet)));
    }

    @Test
    void whatIsSetIsInTheConfiguration() {
        String configuration = read(Path.of("src/main/resources/application.yml"));
        String quota = found("```yaml\nstore:\n(.*?)```").get(0);
        assertThat(configuration).contains(quota);
    }

    @Test
    void everyPictureIsThereAndSmall() {
        assertThat(found("!\\[[^]]+]\\(([^)]+)\\)")).hasSizeGreaterThan(3).allSatisfy(picture -> assertThat(
                        Path.of(picture))
                .satisfies(file -> assertThat(Files.size(file)).isBetween(1L, (long) PICTURE_LIMIT)));
    }

    @Test
    void everyFileThatIsNamedIsThere() {
        assertThat(found("]\\(((?:src|\\.\\.)/[^)#]+)[^)]*\\)"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Path.of(file)).exists());
    }

    private List<String> found(String pattern) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(readme)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without white space, which the formatter puts as it likes. */
    private static String flat(String text) {
        return text.replaceAll("\\s+", "");
    }
}
