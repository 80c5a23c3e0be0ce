package dev.ttlstore.sqlite;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.EngineStats.Sizes;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StorePathException;

/** The file of a store: found or created, claimed for this process, and readable only by its owner. */
final class StoreFile implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StoreFile.class);

    /**
     * Filesystems of other machines. SQLite's WAL needs shared memory between all processes that have the file open, and reliable locks.
     * Network filesystems have neither, and commits may be lost silently.
     */
    private static final Set<String> NETWORK_TYPES = Set.of(("9p afs beegfs ceph cifs coda fuse.ceph fuse.cephfs"
                    + " fuse.gcsfuse fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs glusterfs gpfs lustre ncpfs nfs nfs3 nfs4"
                    + " smb smb2 smb3 smbfs webdav")
            .split(" ", -1));

    private static final List<String> BESIDE = List.of("-wal", "-shm", FileOwnership.SUFFIX, Reserve.SUFFIX);

    private final Path path;
    private final FileOwnership ownership;

    /**
     * Opened before SQLite opens the file, and closed after SQLite has closed it, because closing it drops SQLite's
     * own locks in this process. Not a channel, because an interrupt would close it.
     */
    private final RandomAccessFile opened;

    private final @Nullable Object identity;
    private final boolean settled;

    /** Identifies the WAL; null until it was noted. */
    private volatile @Nullable Wal wal;

    private StoreFile(
            Path path, FileOwnership ownership, @Nullable Object identity, boolean settled, RandomAccessFile opened) {
        this.path = path;
        this.ownership = ownership;
        this.opened = opened;
        this.identity = identity;
        this.settled = settled;
    }

    /** Claims a file. Creates it and its missing parent folders. */
    static StoreFile claim(Path given, Duration lockTimeout) {
        return claim(given, lockTimeout, DiskFiles::syncFolder);
    }

    /** Claims a file, and syncs the names of created files and folders with the given function. */
    static StoreFile claim(Path given, Duration lockTimeout, Consumer<Path> sync) {
        if (!given.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException("'path' must be of the default file system, but is " + given.toUri());
        }
        Path path = given.toAbsolutePath().normalize();
        if (path.getFileName() == null || Files.isDirectory(path)) {
            throw SqliteFiles.notOpened(path, "it is a folder", "Name a file in it", null);
        }
        try {
            DiskFiles.createFolders(SqliteFiles.folder(path), sync);
            Path real = real(path);
            requireRegular(real);
            requireLocal(Files.getFileStore(SqliteFiles.folder(real)).type(), real);
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout, () -> FileFormat.requireNotForeign(real));
            try {
                Replacement.settle(real);
                PartialFile.removeLeftOf(real);
                // Created before SQLite does so, because SQLite would make it readable by others.
                if (!Files.exists(real)) {
                    DiskFiles.create(real);
                    sync.accept(SqliteFiles.folder(real));
                }
                FileFormat.requireNoStump(real);
                requireWritable(real);
                Object identity = SqliteFiles.identity(real);
                boolean settled = SqliteFiles.isSettled(real);
                RandomAccessFile opened = new RandomAccessFile(real.toFile(), "rw"); // last, or it might stay open
                return new StoreFile(real, ownership, identity, settled, opened);
            } catch (IOException | RuntimeException | Error e) {
                ownership.close();
                throw e;
            }
        } catch (IOException e) {
            if (SqliteErrors.isOutOfDescriptors(path)) {
                throw SqliteErrors.outOfDescriptors(path.toString(), e);
            }
            throw SqliteFiles.notOpened(
                    path,
                    DiskFiles.reason(e),
                    "Check that its folder exists or can be made, and that this user may write in it",
                    e);
        }
    }

    /** Follows links once, so that two names of the same file are recognized. */
    private static Path real(Path path) throws IOException {
        boolean link = Files.isSymbolicLink(path);
        if (link && !Files.exists(path)) {
            throw SqliteFiles.notOpened(
                    path,
                    "it is a link to " + Files.readSymbolicLink(path) + ", which does not exist",
                    "Is a disk missing? A store is not created through a link; create the file first",
                    null);
        }
        return Files.exists(path)
                ? path.toRealPath()
                : SqliteFiles.folder(path).toRealPath().resolve(path.getFileName());
    }

    static void requireLocal(String type, Path path) {
        if (NETWORK_TYPES.contains(type.toLowerCase(Locale.ROOT))) {
            throw SqliteFiles.notOpened(
                    path,
                    "its folder is on a network filesystem (" + type
                            + "), where SQLite's write-ahead log can lose commits",
                    "Put it on a local disk",
                    null);
        }
    }

    /** Refuses special files. Opening a pipe could block forever, and a device would be written to. */
    private static void requireRegular(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw SqliteFiles.notOpened(file, "it is not a regular file", "Give the store a path of its own", null);
        }
    }

    /**
     * Refuses a file whose last page is incomplete. SQLite would fill the page up with zeros, and return them. If
     * whole pages are missing, SQLite reports that itself.
     */
    void requireWholePages(long pageBytes) {
        try {
            long size = Files.size(path);
            if (settled && size % pageBytes != 0) {
                throw new StoreCorruptedException(
                        "The store " + path + " is damaged: its file was cut off",
                        "Keep a copy of it, and restore a backup",
                        new EOFException(size + " bytes are not a whole number of pages of " + pageBytes + " bytes"));
            }
        } catch (IOException e) {
            throw new StoreException("The store " + path + " cannot be opened: " + DiskFiles.reason(e), e);
        }
    }

    /** Refuses a file that is not writable. SQLite would open it for reading, and fail at the first write. */
    private static void requireWritable(Path file) {
        if (!Files.isWritable(file)) {
            throw SqliteFiles.notOpened(
                    file,
                    "its file may not be written",
                    "Check the permissions of the file, and that it belongs to the user that runs the application",
                    null);
        }
    }

    Path path() {
        return path;
    }

    /**
     * Restricts the file to its owner, if it existed before, and the files beside it as well. A crash may have left
     * these, or SQLite may have created them with the file's permissions when it read the header.
     */
    void restrictToOwner() {
        try {
            DiskFiles.restrict(path);
            for (String suffix : BESIDE) {
                Path beside = beside(suffix);
                if (DiskFiles.isPlainOrMissing(beside) && Files.exists(beside)) {
                    DiskFiles.restrict(beside);
                }
            }
        } catch (IOException e) {
            throw new StorePathException(
                    path,
                    "The store " + path + " can be read by others, and that could not be changed: "
                            + DiskFiles.reason(e),
                    "Give the file to the user that runs the application",
                    e);
        }
    }

    /**
     * Returns how many bytes this user has left on the disk. Asks for the file, because Java's file store would read
     * the list of all mounts.
     */
    long usableSpace() {
        return path.toFile().getUsableSpace();
    }

    Sizes sizes() {
        Path log = beside("-wal");
        return new Sizes(length(), Files.exists(log) ? length(log) : 0);
    }

    /** Returns the size of the file, without the WAL. */
    long length() {
        return length(path);
    }

    private long length(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new StoreException(
                    "The size of the store " + path + " cannot be determined: " + DiskFiles.reason(e), e);
        }
    }

    /** Notes the WAL that SQLite writes to. It exists while the file is open. */
    void noteLog() {
        try {
            wal = new Wal(SqliteFiles.identity(beside("-wal")));
        } catch (IOException e) {
            throw new StoreException(
                    "The store " + path + " was not opened: the log beside it cannot be found, " + DiskFiles.reason(e),
                    "Is another program clearing up its folder?",
                    e);
        }
    }

    /**
     * Checks that the file and its WAL were not deleted or replaced. SQLite would continue to write to the old file,
     * and lose these writes. Writes to a WAL that nobody finds are lost unless the store is closed properly.
     */
    void requireStillThere() {
        requireFileStillThere();
        requireLogStillThere();
        ownership.requireStillHeld();
    }

    private void requireLogStillThere() {
        Wal noted = wal;
        if (noted != null && !SqliteFiles.isStill(noted.identity(), beside("-wal"))) {
            throw new StoreException(
                    "The log of the store " + path + ", " + beside("-wal").getFileName()
                            + ", has been removed or replaced while in use. Its contents are lost if the process"
                            + " is killed: close the store, which saves them, and open it again");
        }
    }

    private void requireFileStillThere() {
        Object found;
        try {
            found = SqliteFiles.identity(path);
        } catch (IOException e) {
            throw new StoreException(
                    "The file of the store " + path + " is no longer there: " + DiskFiles.reason(e)
                            + ". Later writes are lost; put the file back or restart the application",
                    e);
        }
        if (!Objects.equals(identity, found)) {
            throw new StoreException("The file of the store " + path + " has been replaced by another one while in"
                    + " use. Later writes are lost; restart the application");
        }
    }

    /**
     * Forces the contents of the file to the disk, before SQLite does so at the end of a checkpoint. If this fails,
     * SQLite gets the failure as well, because the system reports it to everyone who has the file open.
     */
    void force() {
        try {
            opened.getFD().sync();
        } catch (IOException e) {
            throw new StoreException(
                    "The file of the store " + path + " could not be written to its disk: " + DiskFiles.reason(e), e);
        }
    }

    /**
     * Forces the log to the disk, which SQLite does not do with each commit. To open it once more is harmless: SQLite's locks are on the
     * other files.
     *
     * @return whether that has succeeded
     */
    boolean syncLog() {
        try {
            DiskFiles.sync(beside("-wal"));
            return true;
        } catch (IOException e) {
            log.warn(
                    "The log of the store {} could not be written to its disk, so a power failure may lead to versions that were used"
                            + " before; the next commit tries again",
                    path,
                    e);
            return false;
        }
    }

    @Override
    public void close() {
        try {
            opened.close();
        } catch (IOException e) {
            log.debug("The file of the store {} was not closed properly", path, e); // everything was forced before
        } finally {
            ownership.close();
        }
    }

    private Path beside(String suffix) {
        return SqliteFiles.beside(path, suffix);
    }

    private record Wal(@Nullable Object identity) {}
}
