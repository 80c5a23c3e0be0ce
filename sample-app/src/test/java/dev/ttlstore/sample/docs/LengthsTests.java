package dev.ttlstore.sample.docs;

import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** No page is longer than its readers have time for. A page about one task has at most four minutes to read. */
class LengthsTests {

    private static final int ALL = 40_000;
    private static final int OF_SAMPLE = 2_500;
    private static final int LEAST = 300;

    /** The first pattern that fits the name of a file has its limit. */
    private static final List<Limit> LIMITS = List.of(
            limit("README\\.md", 900),
            limit("store-core/DESIGN\\.md", 7_000),
            limit("store-core/MEASUREMENTS\\.md", 4_000),
            limit("store-core/SCALE\\.md", 2_000),
            limit("store-[a-z-]+/docs/troubleshooting\\.md", 4_000),
            limit("store-[a-z-]+/docs/[a-z-]+\\.md", 1_200),
            limit("store-[a-z-]+/README\\.md", 600),
            limit("sample-app/.*", OF_SAMPLE),
            limit("\\.github/.*", 600),
            limit(".*", 1_500));

    private record Limit(Pattern name, int words) {}

    private static Limit limit(String name, int words) {
        return new Limit(Pattern.compile(name), words);
    }

    static List<Document> documents() {
        return Document.all();
    }

    private static int limitOf(Document document) {
        return LIMITS.stream()
                .filter(limit -> limit.name.matcher(document.name()).matches())
                .findFirst()
                .orElseThrow()
                .words;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void noPageIsTooLong(Document document) {
        int limit = limitOf(document);
        assertThat(document.words())
                .as(
                        "%s has %d words, and may have %d: shorten it, or move a part to another page",
                        document, document.words(), limit)
                .isLessThanOrEqualTo(limit);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aPageAboutATaskIsWorthItsName(Document document) {
        if (document.name().matches("store-[a-z-]+/docs/.*") && !document.text().contains("<!-- generated -->")) {
            assertThat(document.words())
                    .as("%s has %d words: add it to another page", document, document.words())
                    .isGreaterThanOrEqualTo(LEAST);
        }
    }

    @Test
    void thePagesOfTheSampleAreShortTogether() {
        int words = Document.all().stream()
                .filter(document -> document.name().startsWith("sample-app/"))
                .mapToInt(Document::words)
                .sum();
        assertThat(words).as("words in sample-app").isLessThanOrEqualTo(OF_SAMPLE);
    }

    @Test
    void allPagesTogetherCanBeReadInADay() {
        int words = Document.all().stream().mapToInt(Document::words).sum();
        assertThat(words)
                .as("words of all Markdown files, which may be %d: shorten pages, or remove what two of them say", ALL)
                .isLessThanOrEqualTo(ALL);
    }
}
