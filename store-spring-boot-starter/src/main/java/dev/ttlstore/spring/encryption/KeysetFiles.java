package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes small files that only their owner can access, atomically and durably. */
final class KeysetFiles {

    private static final Logger log = LoggerFactory.getLogger(KeysetFiles.class);

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
        force(folder);
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
        force(folder);
    }

    private static Path write(Path folder, Path file, String text) throws IOException {
        Path written = Files.createTempFile(folder, "." + file.getFileName(), ".new", ownerOnly(folder, "rw-------"));
        try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        return written;
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException("the path is a root, not a file");
        }
        return folder;
    }

    /**
     * Forces the folder, so that the file's name survives a power cut, like the values that its keys will encrypt.
     */
    private static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) { // Windows cannot open folders, and does not need this
            log.debug("The folder {} cannot be forced to the disk", folder, e);
        }
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
