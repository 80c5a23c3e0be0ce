package dev.ttlstore.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import dev.ttlstore.sample.web.SecretsProperties;

import static org.assertj.core.api.Assertions.assertThat;

/** The README and the documents beside it show the sample as it is. */
class ReadmeTests {

    private static final int PICTURE_LIMIT = 150_000;

    private final String readme = read(Path.of("README.md"));

    @Test
    void everySnippetIsInTheCode() throws IOException {
        String code;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            code = files.filter(Files::isRegularFile).map(ReadmeTests::read).collect(Collectors.joining());
        }
        assertThat(found("```java\n(.*?)```", readme))
                .hasSizeGreaterThan(5)
                .allSatisfy(snippet -> assertThat(flat(code)).contains(flat(snippet)));
    }

    @Test
    void whatIsSetIsInTheConfiguration() {
        String configuration = read(Path.of("src/main/resources/application.yml"));
        String quota = found("```yaml\nstore:\n(.*?)```", readme).get(0);
        assertThat(configuration).contains(quota);
    }

    @Test
    void theTableOfPropertiesHasTheirDefaults() {
        SecretsProperties defaults = bound(Map.of());
        String operations = read(Path.of("docs/operations.md"));
        List<String> rows = found("^\\| (`secrets\\.[^|]+\\|[^|]*)\\|", operations);
        assertThat(rows).hasSizeGreaterThan(10).allSatisfy(row -> {
            List<String> names = found("`([^`]+)`", row.substring(0, row.indexOf('|')));
            List<String> values = found("`([^`]+)`", row.substring(row.indexOf('|')));
            String parent = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
            for (int i = 0; i < values.size(); i++) {
                String name = i == 0 ? names.get(0) : parent + names.get(i);
                assertThat(bound(Map.of(name, values.get(i)))).as(name).isEqualTo(defaults);
            }
        });
    }

    private static SecretsProperties bound(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate(
                        "secrets",
                        Bindable.of(SecretsProperties.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
    }

    @Test
    void everyPictureIsThereAndSmall() {
        assertThat(found("!\\[[^]]+]\\(([^)]+)\\)", readme))
                .hasSizeGreaterThan(3)
                .allSatisfy(picture -> assertThat(Path.of(picture))
                        .satisfies(file -> assertThat(Files.size(file)).isBetween(1L, (long) PICTURE_LIMIT)));
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text)
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
