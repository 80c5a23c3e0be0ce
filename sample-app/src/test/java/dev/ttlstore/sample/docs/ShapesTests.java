package dev.ttlstore.sample.docs;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages about the starter's features have one shape, so that a reader finds the same thing in the same place. */
class ShapesTests {

    private static final String FOLDER = "store-spring-boot-starter/docs/";

    /** Pages that are read in another way. */
    private static final Set<String> OTHERS =
            Set.of(FOLDER + "getting-started.md", FOLDER + "properties.md", FOLDER + "troubleshooting.md");

    private static final Pattern PROPERTY = Pattern.compile("\\| `(store\\.[a-z.<>-]+)`.*");
    private static final ConfigurationMetadata METADATA = new ConfigurationMetadata();

    static List<Document> pages() {
        return Document.all().stream()
                .filter(document -> document.name().startsWith(FOLDER) && !OTHERS.contains(document.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageHasAnExampleCasesSettingsAndLimits(Document page) {
        assertThat(page.headings())
                .as("headings of %s, the last of which are about settings and limits", page)
                .endsWith("Settings", "Limits");
        assertThat(page.rows()).as("cases in %s", page).contains("| When | Then |");
        assertThat(page.blocks()).as("examples in %s", page).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageSaysFirstWhatOneGets(Document page) {
        assertThat(page.text())
                .as("the beginning of %s", page)
                .matches(Pattern.compile("# [^\\n]+\\n\\n[A-Z`\\[@].*", Pattern.DOTALL));
    }

    /** Other pages have links to it. */
    @Test
    void aPropertyIsDefinedOnThePageOfPropertiesOnly() {
        assertThat(Document.all())
                .filteredOn(document -> !document.name().startsWith("store-core/"))
                .allSatisfy(document -> assertThat(document.rows().stream()
                                .map(PROPERTY::matcher)
                                .filter(row -> row.matches() && METADATA.isProperty(row.group(1)))
                                .map(row -> row.group(1)))
                        .as("properties that %s defines again", document)
                        .isEmpty());
    }
}
