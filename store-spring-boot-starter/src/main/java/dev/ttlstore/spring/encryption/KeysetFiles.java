package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

import dev.ttlstore.engine.support.DiskFiles;

/** Writes small files that only their owner can access, atomically and durably. */
final class KeysetFiles {

    private KeysetFiles() {}

    /** Creates a file. Returns false if the file exists, even if it appeared during the call. */
    static boolean create(Path file, String text) throws IOException {
        Path folder = folder(file);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        }
        Path written = write(folder, file, text);
        try {
            link(file, written);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(written);
        }
        DiskFiles.syncFolder(folder); // or a power cut could lose the keys of what they will encrypt
        return true;
    }

    /**
     * Links the temporary file under its final name, and fails if that exists. A move would replace another process's
     * file.
     */
    private static void link(Path file, Path written) throws IOException {
        try {
            Files.createLink(file, written);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) { // a file system without links
            Files.move(written, file);
        }
    }

    /** Replaces the content of a file. */
    static void replace(Path file, String text) throws IOException {
        Path folder = folder(file);
        Path written = write(folder, file, text);
        try {
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
        DiskFiles.syncFolder(folder); // or a power cut could lose the keys of what they will encrypt
    }

    private static Path write(Path folder, Path file, String text) throws IOException {
        Path written = Files.createTempFile(folder, "." + file.getFileName(), ".new", ownerOnly(folder, "rw-------"));
        try {
            Files.writeString(written, text);
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

    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
