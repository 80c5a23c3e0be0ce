package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files and folders that only their owner may read. Without POSIX permissions, the permissions of the parent
 * folder apply.
 */
final class OwnerOnly {

    private static final Logger log = LoggerFactory.getLogger(OwnerOnly.class);

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /**
     * Creates a folder and its missing parents. An existing folder stays as it is.
     *
     * @return the created folders, the outermost first
     */
    static List<Path> createFolders(Path folder) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = folder; each != null && !Files.isDirectory(each); each = each.getParent()) {
            missing.push(each);
        }
        Files.createDirectories(folder, attributes(folder, FOLDER));
        return List.copyOf(missing);
    }

    static void createFile(Path file) throws IOException {
        try {
            Files.createFile(file, attributes(file, FILE));
        } catch (FileAlreadyExistsException e) {
            restrict(file);
        }
    }

    static void restrict(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (!FILE.containsAll(permissions)) {
            view.setPermissions(FILE);
            log.info(
                    "The file {} was readable by others ({}); now only its owner can read it",
                    file,
                    PosixFilePermissions.toString(permissions));
        }
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
