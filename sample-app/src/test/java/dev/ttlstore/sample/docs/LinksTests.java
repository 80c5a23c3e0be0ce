package dev.ttlstore.sample.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Every link leads to a file that exists, and to a heading of it. */
class LinksTests {

    private static final Set<String> ELSEWHERE = Set.of("http:", "https:", "mailto:");

    static List<Document> documents() {
        return Document.all();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyLinkLeadsSomewhere(Document document) {
        assertThat(document.links())
                .filteredOn(link -> ELSEWHERE.stream().noneMatch(link::startsWith))
                .allSatisfy(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty()
                            ? document.file()
                            : document.file().resolveSibling(parts[0]).normalize();
                    assertThat(Files.exists(target)).as("%s exists", parts[0]).isTrue();
                    if (parts.length == 2) {
                        assertThat(Document.of(target).anchors())
                                .as("headings of %s", target)
                                .contains(parts[1]);
                    }
                });
    }
}
