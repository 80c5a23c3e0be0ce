package dev.ttlstore.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders in memory if there is room, because most tests wait longer for the disk than they run. What survives the death of a
 * process is the same there. JUnit's settings name this class.
 */
public final class QuickFolders implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long ENOUGH = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        boolean roomy = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH;
        return roomy
                ? Files.createTempDirectory(MEMORY, "ttl-store-junit-")
                : Files.createTempDirectory("ttl-store-junit-");
    }
}
