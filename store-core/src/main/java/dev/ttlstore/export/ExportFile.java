package dev.ttlstore.export;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.export.EntryLines.MalformedLineException;
import dev.ttlstore.export.Exporting.Place;

/** The file of an export: written under another name, continued after a run that did not end, and renamed when it is complete. */
final class ExportFile {

    private static final Logger log = LoggerFactory.getLogger(ExportFile.class);

    private static final String PARTIAL = ".partial";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Path target;
    private final Path partial;
    private final Selection selection;
    private final StoredEntries stored;

    /** Writes the lines after a place. */
    @FunctionalInterface
    interface Content {
        ExportResult write(OutputStream out, Place last) throws IOException;
    }

    ExportFile(Path target, Selection selection, StoredEntries stored) {
        this.target = target;
        this.partial = target.resolveSibling(target.getFileName() + PARTIAL);
        this.selection = selection;
        this.stored = stored;
    }

    ExportResult write(Content content) {
        try {
            requireFree();
            createPartial();
            ExportResult result;
            try (RandomAccessFile file =
                    new RandomAccessFile(partial.toFile(), "rw")) { // an interrupt does not close it
                requireAlone(file);
                Place last = continueAfter(file);
                OutputStream out =
                        new FileOutputStream(file.getFD()); // goes on where the file is, and is closed with it
                result = content.write(out, last);
                file.getFD().sync();
            }
            publish();
            return result;
        } catch (IOException e) {
            if (Files.exists(partial) && partial.toFile().getUsableSpace() < 1024 * 1024) {
                throw new StoreFullException(
                        "The disk is full, so the export " + target
                                + " is not complete. Make room, and run it again to continue",
                        e);
            }
            throw failure(
                    "cannot be written: " + e.getClass().getSimpleName() + " " + e.getMessage(),
                    "Check that its folder exists, and that this user may write in it",
                    e);
        }
    }

    private StorePathException failure(String problem, String remedy, @Nullable Throwable cause) {
        return new StorePathException(target, "The export " + target + " " + problem, remedy, cause);
    }

    private void requireFree() {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw failure("was not made, because there is such a file", "Give each export a name of its own", null);
        }
    }

    private void createPartial() throws IOException {
        boolean posix = partial.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
        try {
            Files.createFile(partial, attributes);
        } catch (FileAlreadyExistsException e) {
            log.info("The export {} continues {}", target, partial);
            if (posix) {
                Files.setPosixFilePermissions(partial, OWNER_ONLY);
            }
        }
    }

    /** Keeps the lock until the file is closed. */
    private void requireAlone(RandomAccessFile file) throws IOException {
        FileLock lock;
        try {
            lock = file.getChannel().tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw failure("is being written by another export", "Wait for it, or give this one another name", null);
        }
    }

    /** Removes a line that is not complete, and finds out how far the earlier runs have come. */
    private Place continueAfter(RandomAccessFile file) throws IOException {
        if (file.length() == 0) {
            return Place.START;
        }
        long entries = 0;
        long end = 0;
        byte[] last = null;
        try (LineReader lines = new LineReader(Files.newInputStream(partial), stored.maxValueSize())) {
            for (byte[] line = lines.next(); line != null && lines.isComplete(); line = lines.next()) {
                last = line;
                entries++;
                end = lines.bytes();
            }
        } catch (MalformedLineException e) {
            throw notOurs(e);
        }
        file.setLength(end);
        file.seek(end);
        if (last == null) {
            return Place.START;
        }
        StoredEntry entry;
        try {
            entry = new EntryLines().read(last);
        } catch (MalformedLineException e) {
            throw notOurs(e);
        }
        if (!selection.contains(entry.group())) {
            throw notOurs(null);
        }
        if (!isPresent(entry)) {
            log.info("The export {} begins at the beginning, because {} may be of another store", target, partial);
            file.setLength(0);
            file.seek(0);
            return Place.START;
        }
        return new Place(entries, end, entry.group(), entry.key());
    }

    /** Tests whether the store has an entry as it was exported, which another store has not. */
    private boolean isPresent(StoredEntry exported) {
        try {
            return stored.entry(exported.group(), exported.key())
                    .filter(entry -> entry.version() == exported.version()
                            && entry.updatedAt().equals(exported.updatedAt())
                            && Arrays.equals(entry.value(), exported.value()))
                    .isPresent();
        } catch (IllegalArgumentException e) { // not even a name
            throw notOurs(e);
        }
    }

    private StorePathException notOurs(@Nullable Throwable cause) {
        return failure(
                "was not made, because " + partial + " is not a part of an export of " + selection,
                "Remove it, or give this export another name",
                cause);
    }

    /** Gives the file its name, unless somebody else has taken it meanwhile. */
    private void publish() throws IOException {
        try {
            Files.createLink(target, partial);
            Files.delete(partial);
        } catch (FileAlreadyExistsException e) {
            requireFree();
            throw e;
        } catch (IOException | UnsupportedOperationException e) { // no links there
            log.debug("The file system has no links, so {} is renamed", partial, e);
            requireFree();
            Files.move(partial, target);
        }
        syncFolder();
    }

    private void syncFolder() {
        Path folder = target.getParent();
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            log.debug(
                    "The folder {} cannot be synced; its names reach the disk when the system writes them", folder, e);
        }
    }
}
