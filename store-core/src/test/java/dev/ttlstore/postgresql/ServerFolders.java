package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Folders for servers, in memory if there is room. They are named for this process, so that a later one clears up after a crash. */
public final class ServerFolders {

    private static final long ENOUGH = 1L << 30;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private ServerFolders() {}

    /** Creates an empty folder, which this process deletes. */
    public static Path fresh() throws IOException {
        // Each user has a folder, because nobody else can write in it.
        Path parent = Files.createDirectories(
                fastest().resolve("ttl-store-postgresql-" + System.getProperty("user.name", "user")));
        if (COUNT.get() == 0) {
            clearOrphans(parent);
        }
        return Files.createDirectory(parent.resolve(
                ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet() + "-" + System.nanoTime()));
    }

    private static Path fastest() throws IOException {
        Path memory = Path.of("/dev/shm");
        boolean roomy = Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() >= ENOUGH;
        return roomy ? memory : Path.of(System.getProperty("java.io.tmpdir", "."));
    }

    /** Stops and deletes the servers of test processes that ended without doing so. */
    private static void clearOrphans(Path parent) throws IOException {
        List<Path> folders;
        try (Stream<Path> children = Files.list(parent)) {
            folders = children.filter(folder -> folder.getFileName().toString().matches("\\d+-\\d+-\\d+"))
                    .toList();
        }
        for (Path folder : folders) {
            String name = folder.getFileName().toString();
            if (ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('-'))))
                    .isEmpty()) {
                if (Files.exists(folder.resolve("postmaster.pid"))) {
                    stop(folder);
                }
                delete(folder);
            }
        }
    }

    private static void stop(Path folder) {
        try {
            Binaries.run("pg_ctl", List.of("stop", "-D", folder.toString(), "-m", "immediate"));
        } catch (IOException e) {
            // It has stopped already, and left its file behind.
            return;
        }
    }

    /** Deletes a folder with all in it, even while files in it come and go. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
