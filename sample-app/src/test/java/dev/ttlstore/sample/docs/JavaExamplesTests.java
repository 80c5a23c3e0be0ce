package dev.ttlstore.sample.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every example in Java or Kotlin is a part of a source that is compiled: of a test, which also runs it, or of the sample. So a page cannot
 * show what does not compile.
 */
class JavaExamplesTests {

    private static final String COMPILED_FROM_ITS_PAGES = "store-core/";

    private static final int LINES_OF_AN_APPLICATION = 40;

    private static final Pattern SOURCES = Pattern.compile(".*/src/(test|main|jmh)/(java|kotlin)/.*");

    /** One string with every source, without white space, which the formatter puts as it likes. */
    private static final String CODE = Stream.of(".java", ".kt")
            .flatMap(end -> Document.files(end).stream())
            .filter(JavaExamplesTests::isCompiled)
            .map(file -> flat(Document.read(file)))
            .collect(Collectors.joining("\n"));

    private static boolean isCompiled(Path file) {
        return SOURCES.matcher(file.toString().replace('\\', '/')).matches();
    }

    static List<Document.Block> examples() {
        return Document.all().stream()
                .flatMap(
                        document -> document
                                .blocks(document.name().startsWith(COMPILED_FROM_ITS_PAGES) ? "none" : "java", "kotlin")
                                .stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsPartOfASourceThatIsCompiled(Document.Block example) {
        assertThat(CODE.contains(flat(example.text())) || CODE.contains(withoutClosingBraces(flat(example.text()))))
                .as("the example at %s stands in a test or in the sample, word for word", example)
                .isTrue();
    }

    @Test
    void theWholeApplicationIsSeenAtOnce() {
        assertThat(Document.of(Document.ROOT.resolve("README.md")).blocks("java"))
                .singleElement()
                .satisfies(application -> assertThat(application.text().lines())
                        .hasSizeLessThanOrEqualTo(LINES_OF_AN_APPLICATION)
                        .anyMatch(line -> line.contains("void main(")));
    }

    /** A test may go on where the example ends. */
    private static String withoutClosingBraces(String example) {
        return example.replaceAll("}+$", "");
    }

    /** Where the file is differs: the folder of a test is a temporary one. */
    private static String flat(String text) {
        return text.replaceAll("\\s+", "").replace("Path.of(\"app.db\")", "folder.resolve(\"app.db\")");
    }
}
