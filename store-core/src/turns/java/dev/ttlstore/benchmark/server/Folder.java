package dev.ttlstore.benchmark.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for files of a benchmark, gone when it is closed. */
public final class Folder implements AutoCloseable {

    private final Path path;

    /** Makes one among the temporary files. */
    public Folder() {
        try {
            this.path = Files.createTempDirectory("ttlstore-benchmark");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            List<Path> files;
            try (Stream<Path> walk = Files.walk(path)) {
                files = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
