package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

import dev.ttlstore.engine.support.DiskFiles;

/** Writes small files that only their owner can access, atomically and durably. */
final class KeysetFiles {

    private KeysetFiles() {}

    /** Creates a file. Returns false if the file exists, even if it appeared during the call. */
    static boolean create(Path file, String text) throws IOException {
        Path folder = folder(file);
        DiskFiles.createFolders(folder, DiskFiles::syncFolder);
        Path written = write(file, text);
        try {
            DiskFiles.giveName(written, file);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(written);
        }
        DiskFiles.syncFolder(folder); // or a power cut could lose the keys of what they will encrypt
        return true;
    }

    /** Replaces the content of a file, which keeps its owner: an administrator may do so for an application. */
    static void replace(Path file, String text) throws IOException {
        Path folder = folder(file);
        Path written = write(file, text);
        try {
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
        DiskFiles.syncFolder(folder); // or a power cut could lose the keys of what they will encrypt
    }

    private static Path write(Path file, String text) throws IOException {
        Path written = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".new");
        DiskFiles.createFor(file, written);
        try {
            Files.writeString(written, text, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            DiskFiles.sync(written);
            return written;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(written);
            throw e;
        }
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException("the path is a root, not a file");
        }
        return folder;
    }
}
