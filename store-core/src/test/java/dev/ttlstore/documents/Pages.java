package dev.ttlstore.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the module. */
final class Pages {

    private Pages() {}

    /** Returns all files of Markdown, relative to the module. */
    static List<Path> all() throws IOException {
        try (Stream<Path> files = Stream.of(".", "docs", "src/jmh").flatMap(Pages::in)) {
            return files.sorted().toList();
        }
    }

    private static Stream<Path> in(String folder) {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.map(Path::normalize).filter(file -> file.toString().endsWith(".md")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
