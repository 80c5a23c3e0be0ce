package dev.ttlstore.export;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Store;
import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.export.EntryLines.MalformedLineException;
import dev.ttlstore.export.Exporting.ResumePoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * The file of an export: written under another name, continued after a run that did not end, and renamed when it is complete.
 *
 * @param target the file
 * @param selection which groups it has
 * @param store has the entries
 * @param progress receives the progress
 */
record ExportFile(Path target, Selection selection, Store store, Consumer<? super TransferProgress> progress) {

    private static final Logger log = LoggerFactory.getLogger(ExportFile.class);

    private static final String PARTIAL = ".partial";

    /** How every line begins. */
    private static final byte[] BEGINNING = "{\"group\":".getBytes(UTF_8);

    ExportResult write() {
        StoredEntries stored = store.stored(); // first, because it reports that the store is closed
        Path partial = partial();
        try {
            requireFree();
            createPartial();
            ExportResult result;
            try (RandomAccessFile file =
                    new RandomAccessFile(partial.toFile(), "rw")) { // an interrupt does not close it
                requireAlone(file);
                DiskFiles.restrict(partial); // also what another export has made since
                ResumePoint last = continueAfter(file, stored);
                OutputStream out =
                        new FileOutputStream(file.getFD()); // goes on where the file is, and is closed with it
                result = new Exporting(store, selection, progress, out).run(last);
                file.getFD().sync();
            }
            publish();
            return result;
        } catch (IOException e) {
            if (DiskFiles.isDiskFull(partial)) {
                throw new StoreFullException(
                        "The disk is full, so the export " + target
                                + " is not complete. Make room, and run it again to continue",
                        e);
            }
            throw failure(
                    "cannot be written: " + DiskFiles.reason(e),
                    "Check that its folder exists, and that this user may write in it",
                    e);
        }
    }

    private Path partial() {
        return target.resolveSibling(target.getFileName() + PARTIAL);
    }

    private StorePathException failure(String problem, String remedy, @Nullable Throwable cause) {
        return new StorePathException(target, "The export " + target + " " + problem, remedy, cause);
    }

    private void requireFree() throws IOException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            if (isSecondName()) {
                Files.delete(partial());
            }
            throw failure("was not made, because there is such a file", "Give each export a name of its own", null);
        }
    }

    /** Tests whether the export was complete, and killed before it could remove its earlier name. */
    private boolean isSecondName() throws IOException {
        return Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
                && Files.isRegularFile(partial(), LinkOption.NOFOLLOW_LINKS)
                && Files.isSameFile(target, partial());
    }

    private void createPartial() throws IOException {
        try {
            DiskFiles.create(partial());
        } catch (FileAlreadyExistsException e) {
            requireOwn();
            log.info("The export {} continues {}", target, partial());
        }
    }

    /** Nothing else is written to: neither through a link or a second name, nor what belongs to another user, who could read it. */
    private void requireOwn() throws IOException {
        if (!DiskFiles.isPlainOrMissing(partial())) {
            throw notOurs(null);
        }
        Path probe = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + PARTIAL);
        try {
            DiskFiles.create(probe); // only a file of this user tells who that is
            if (!DiskFiles.haveSameOwner(partial(), probe)) {
                throw notOurs(null);
            }
        } finally {
            Files.deleteIfExists(probe);
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
    private ResumePoint continueAfter(RandomAccessFile file, StoredEntries stored) throws IOException {
        if (file.length() == 0) {
            return ResumePoint.START;
        }
        requireBeginning(file);
        long entries = 0;
        long end = 0;
        byte[] last = null;
        file.seek(0);
        try {
            // Not opened once more: on POSIX, closing that would give up the lock. It is closed with the file.
            LineReader lines = new LineReader(new FileInputStream(file.getFD()), stored.maxValueSize());
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
            return ResumePoint.START;
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
        if (!isPresent(entry, stored)) {
            log.info("The export {} begins at the beginning, because {} may be of another store", target, partial());
            file.setLength(0);
            file.seek(0);
            return ResumePoint.START;
        }
        return new ResumePoint(entries, end, entry.group(), entry.key());
    }

    /** Not even a file without a complete line is replaced if somebody else has made it. */
    private void requireBeginning(RandomAccessFile file) throws IOException {
        byte[] found = new byte[(int) Math.min(file.length(), BEGINNING.length)];
        file.seek(0);
        file.readFully(found);
        if (!Arrays.equals(found, 0, found.length, BEGINNING, 0, found.length)) {
            throw notOurs(null);
        }
    }

    /** Tests whether the store has an entry as it was exported, which another store has not. */
    private boolean isPresent(StoredEntry exported, StoredEntries stored) {
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
                "was not made, because " + partial() + " is not a part of an export of " + selection,
                "Remove it, or give this export another name",
                cause);
    }

    /** Gives the file its name, unless somebody else has taken it meanwhile. */
    private void publish() throws IOException {
        try {
            DiskFiles.giveName(partial(), target);
        } catch (FileAlreadyExistsException e) {
            requireFree();
            throw e;
        }
        boolean unused = Files.deleteIfExists(partial());
        DiskFiles.syncFolder(requireNonNull(target.getParent()));
    }
}
