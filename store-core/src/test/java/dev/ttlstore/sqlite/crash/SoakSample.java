package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a process and its store take at a moment; 0 for what cannot be told here. */
record SoakSample(long heap, long descriptors, long threads, long file, long log) {

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static SoakSample take(Path file) throws IOException {
        System.gc();
        return new SoakSample(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                openDescriptors(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                Files.size(file),
                Files.size(StoreFiles.wal(file)));
    }

    private static long openDescriptors() throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.count();
        }
    }
}
