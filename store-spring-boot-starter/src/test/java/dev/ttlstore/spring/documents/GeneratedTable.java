package dev.ttlstore.spring.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** A part of a page that the build makes, so that it lists what there is. {@code -Ddocuments.write=true} writes it. */
final class GeneratedTable {

    private static final String START = "<!-- generated -->\n";
    private static final String END = "<!-- end of what is generated -->\n";

    private final Path page;

    GeneratedTable(String page) {
        this.page = Path.of("docs", page + ".md");
    }

    /** Fails unless the page has this text between its marks. */
    void assertIs(String text) {
        String before = read(page);
        int start = before.indexOf(START) + START.length();
        String expected = before.substring(0, start) + text + before.substring(before.indexOf(END));
        if (Boolean.getBoolean("documents.write")) {
            try {
                Files.writeString(page, expected);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        assertThat(read(page))
                .as(
                        "%s differs from what the build knows. This writes it: mvn -pl store-core,store-spring-boot-starter test"
                                + " -Dtest=GeneratedTablesTests,MetersTableTests -Ddocuments.write=true -Dsurefire.failIfNoSpecifiedTests=false",
                        page)
                .isEqualTo(expected);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
