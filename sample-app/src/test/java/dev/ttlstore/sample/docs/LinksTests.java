package dev.ttlstore.sample.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Every link leads to a file that exists, and to a heading of it. */
class LinksTests {

    private static final Set<String> ELSEWHERE = Set.of("http:", "https:", "mailto:");

    /** Pages that are about to be written. One that exists is checked as any other. */
    private static final Set<String> COMING = Stream.of(
                    "backups-and-moving",
                    "choosing",
                    "command-line",
                    "encryption",
                    "events-and-watches",
                    "expiry-and-handlers",
                    "getting-started",
                    "groups-values-json",
                    "jcache",
                    "litestream",
                    "scopes-and-quotas",
                    "several-instances",
                    "storage-format",
                    "troubleshooting")
            .map(page -> "store-core/docs/" + page + ".md")
            .collect(Collectors.toSet());

    /** Links of documents that are about to be rewritten, to headings that have become pages. */
    private static final Set<String> OLD = Set.of(
            "../store-spring-boot-starter/README.md#cost-at-start-up",
            "../store-spring-boot-starter/README.md#events",
            "../store-spring-boot-starter/README.md#moving-a-store",
            "../store-spring-boot-starter/README.md#transactions");

    static List<Document> documents() {
        return Document.all();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyLinkLeadsSomewhere(Document document) {
        assertThat(document.links())
                .filteredOn(link -> ELSEWHERE.stream().noneMatch(link::startsWith) && !OLD.contains(link))
                .allSatisfy(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty()
                            ? document.file()
                            : document.file().resolveSibling(parts[0]).normalize();
                    boolean exists = Files.exists(target);
                    assertThat(exists || COMING.contains(Document.nameOf(target)))
                            .as("%s exists", parts[0])
                            .isTrue();
                    if (exists && parts.length == 2) {
                        assertThat(Document.of(target).anchors())
                                .as("headings of %s", target)
                                .contains(parts[1]);
                    }
                });
    }
}
