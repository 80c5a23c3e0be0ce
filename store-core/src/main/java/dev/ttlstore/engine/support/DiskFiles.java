package dev.ttlstore.engine.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/**
 * Creates files and folders that only their owner may read, and forces them to the disk. Without POSIX permissions, the permissions of
 * the parent folder apply. An interrupt of the thread ends none of these calls, and stays set. Thread-safe.
 *
 * @since 0.1
 */
public final class DiskFiles {

    private static final Logger log = LoggerFactory.getLogger(DiskFiles.class);

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private static final long MIB = 1L << 20;

    /** What Java calls a user without a name, as in some containers. */
    private static final String UNKNOWN_USER = "?";

    private DiskFiles() {}

    /**
     * Creates a folder and its missing parents, and forces their names to the disk. An existing folder stays as it is.
     *
     * @param folder the folder
     * @param sync forces the names in a folder to the disk, usually {@link #syncFolder}
     * @throws IOException if one cannot be created
     */
    public static void createFolders(Path folder, Consumer<Path> sync) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = folder.toAbsolutePath(); each != null && !Files.isDirectory(each); each = each.getParent()) {
            missing.push(each);
        }
        Files.createDirectories(folder, attributes(folder, FOLDER));
        missing.forEach(created -> sync.accept(requireNonNull(created.getParent())));
    }

    /**
     * Creates an empty file. It never takes over what is there, so it follows no link and trusts nobody else's file.
     *
     * @param file the file
     * @throws FileAlreadyExistsException if something of this name is there, even a broken link
     * @throws IOException if it cannot be created
     */
    public static void create(Path file) throws IOException {
        Files.createFile(file, attributes(file, FILE));
    }

    /**
     * Creates an empty file that belongs with another one, and gives it the same owner. Only an administrator can do so for another user, who
     * could not open the file otherwise.
     *
     * @param file the file
     * @param main the file that it belongs with, which may be missing
     * @throws FileAlreadyExistsException if something of this name is there, even a broken link
     * @throws IOException if it cannot be created
     */
    public static void createFor(Path main, Path file) throws IOException {
        create(file);
        give(main, file);
    }

    /** Gives a file to the owner of another one, as far as this user may do so. A link in its place is given away itself. */
    static void give(Path main, Path file) throws IOException {
        PosixFileAttributeView view = ownView(file);
        if (view == null || !Files.exists(main)) {
            return;
        }
        PosixFileAttributes wanted = Files.readAttributes(main, PosixFileAttributes.class);
        if (!wanted.owner().equals(view.readAttributes().owner())) {
            try {
                view.setGroup(wanted.group());
                view.setOwner(wanted.owner());
            } catch (IOException e) {
                log.debug("The file {} cannot be given to the owner of {}", file, main, e);
            }
        }
    }

    /**
     * Makes a file readable by its owner only. Others could read it before, so this is for files that somebody else has made.
     *
     * @param file the file
     * @throws IOException if the file is a link, or belongs to somebody else
     */
    public static void restrict(Path file) throws IOException {
        PosixFileAttributeView view = ownView(file);
        if (view == null) {
            return;
        }
        if (Files.isSymbolicLink(file)) {
            throw new IOException(file + " is a link");
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

    /**
     * Returns a view that follows no link: who may write in the folder can put one in the file's place at any moment, and an administrator would
     * give another file away.
     */
    private static @Nullable PosixFileAttributeView ownView(Path file) {
        return Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Tests whether writing to a file can change nothing else: it is a regular file, no link, and has no second name. Does not open it.
     *
     * @param file the file
     * @return whether it is so, or the file is missing
     * @throws IOException if that cannot be found out
     */
    public static boolean isPlainOrMissing(Path file) throws IOException {
        try { // it may be deleted at any moment
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            .isRegularFile()
                    && (!file.getFileSystem().supportedFileAttributeViews().contains("unix")
                            || Integer.valueOf(1)
                                    .equals(Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS)));
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /**
     * Tests whether two files have the same owner.
     *
     * @param file a file; if it is a link, the owner of the link counts
     * @param other another one
     * @return whether it is the same, or the file system knows no owners
     * @throws IOException if that cannot be found out
     */
    public static boolean haveSameOwner(Path file, Path other) throws IOException {
        return !file.getFileSystem().supportedFileAttributeViews().contains("owner")
                || Files.getOwner(file, LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getOwner(other, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Tests whether a file belongs to a stranger: neither to this user nor to the owner of the store's file. A stranger may still have the file
     * open. Then he can read and change what is written to it, whatever its permissions become.
     *
     * @param main the file that it belongs with, which may be missing
     * @param beside the file; if it is a link, the owner of the link counts
     * @return whether it is so; never if the file is missing, or the file system knows no owners as POSIX does
     * @throws IOException if that cannot be found out
     */
    public static boolean isForeign(Path main, Path beside) throws IOException {
        if (!beside.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return false;
        }
        try { // both may be deleted at any moment
            String user = System.getProperty("user.name", UNKNOWN_USER);
            String owner = Files.getOwner(beside, LinkOption.NOFOLLOW_LINKS).getName();
            return !user.equals(UNKNOWN_USER)
                    && !owner.equals(user)
                    && (Files.notExists(main) || !haveSameOwner(main, beside));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Gives a complete file its name, and replaces nothing, not even a file that has appeared at this moment. Where files can have two names,
     * it keeps the earlier one as well, until that is deleted.
     *
     * @param file the file
     * @param name its new name
     * @throws FileAlreadyExistsException if something of this name is there
     * @throws IOException if it cannot get the name
     */
    public static void giveName(Path file, Path name) throws IOException {
        try {
            Files.createLink(name, file);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            log.debug("The file system has no links, so {} is renamed", file, e);
            Files.move(file, name);
        }
    }

    /**
     * Tests whether a write has probably failed because the disk is full.
     *
     * @param file a file on the disk, which may be missing
     * @return whether there is less than a mebibyte left
     */
    public static boolean isDiskFull(Path file) {
        return Files.exists(file) && file.toFile().getUsableSpace() < MIB;
    }

    /**
     * Forces the content of a file to the disk. Not by a channel, because an interrupt would close it.
     *
     * @param file the file, which exists
     * @throws IOException if it cannot be written there
     */
    public static void sync(Path file) throws IOException {
        Path existing = file.toRealPath(); // a missing one would be created
        try (RandomAccessFile opened = new RandomAccessFile(existing.toFile(), "rw")) {
            opened.getFD().sync();
        }
    }

    /**
     * Forces the file names in a folder to the disk, as far as the system allows it. Otherwise a power cut can lose a file's name, and with
     * it the file, even if its own bytes are on the disk. Windows does not allow it, and stores file names in a different way.
     *
     * @param folder the folder
     */
    public static void syncFolder(Path folder) {
        boolean interrupted = false;
        boolean done = false;
        while (!done) {
            interrupted |= Thread.interrupted(); // otherwise the channel would close at its first use
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
                done = true;
            } catch (ClosedByInterruptException e) {
                interrupted = true; // interrupted at this very moment: try again
            } catch (IOException e) {
                log.debug(
                        "The folder {} cannot be synced; its file names reach the disk when the system writes them",
                        folder,
                        e);
                done = true;
            }
        }
        Deadline.restoreInterrupt(interrupted);
    }

    /**
     * Describes a failure. The messages of most say no more than which file it was.
     *
     * @param failure the failure
     * @return its kind and message
     */
    public static String reason(Exception failure) {
        return failure.getClass().getSimpleName() + " " + failure.getMessage();
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
