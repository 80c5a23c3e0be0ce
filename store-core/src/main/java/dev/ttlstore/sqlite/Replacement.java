package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.DiskFiles;

/**
 * Puts the new file of a repair in the place of the damaged one, in several steps. Once the new file is complete, its name
 * says so. If the process is killed before, the next opening deletes it; if it is killed later, the next opening continues with the
 * steps, unless somebody has put another file in the place of the damaged one. Use it only after claiming the file.
 *
 * @param file the damaged file
 * @param names what it, and the side file, are called in the end
 * @param time the time in the names. The new file has it as the time of its last change, from which they are known again
 */
record Replacement(Path file, Names names, Instant time) {

    private static final Logger log = LoggerFactory.getLogger(Replacement.class);

    private static final String NEW = ".repaired" + PartialFile.SUFFIX;

    private static final String READY = ".repaired.ready";

    private static final String SIDE = ".rejected.jsonl" + PartialFile.SUFFIX;

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A step on disk may follow. */
    interface Steps {

        /** Is called before each step. A test can end the process here. */
        void next() throws IOException;
    }

    /** What the damaged file, and the side file, are called in the end. */
    record Names(Path damaged, Path side) {

        static Names at(Path file, Instant time) {
            String stamp = "." + STAMP.format(time);
            return new Names(
                    SqliteFiles.beside(file, stamp + ".damaged"), SqliteFiles.beside(file, stamp + ".rejected.jsonl"));
        }

        boolean areFree() {
            return Files.notExists(damaged) && Files.notExists(side);
        }
    }

    /** Begins with names that are not taken. */
    static Replacement of(Path file) {
        Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        while (!Names.at(file, time).areFree()) {
            time = time.plusSeconds(1);
        }
        return new Replacement(file, Names.at(file, time), time);
    }

    /** Where the new file is to be made. */
    Path newFile() {
        return SqliteFiles.beside(file, NEW);
    }

    /** Where the side file is to be made, if there is one. */
    Path newSideFile() {
        return SqliteFiles.beside(file, SIDE);
    }

    /**
     * Replaces the damaged file, which is not open any more, by the new one. If that fails after the new file was complete, the exception
     * says that the next opening continues.
     */
    void run(Steps steps) throws IOException {
        steps.next();
        DiskFiles.sync(newFile());
        Files.setLastModifiedTime(newFile(), FileTime.from(time));
        steps.next();
        keep(file, names.damaged());
        DiskFiles.syncFolder(SqliteFiles.folder(file));
        steps.next();
        Files.move(newFile(), SqliteFiles.beside(file, READY), StandardCopyOption.ATOMIC_MOVE);
        DiskFiles.syncFolder(SqliteFiles.folder(file));
        try {
            finish(file, names, steps);
        } catch (IOException e) {
            throw new IOException(
                    "The new file is complete, but could not take the place of the damaged one. The next opening continues: "
                            + e,
                    e);
        }
    }

    /** Ends what a killed repair has begun: continues if its new file is complete, and otherwise deletes it. */
    static void settle(Path file) throws IOException {
        Path ready = SqliteFiles.beside(file, READY);
        if (isOurs(ready, file)) {
            Names names = namesOf(ready, file);
            if (isSame(file, names.damaged())) {
                finish(file, names, () -> {});
                log.warn("A repair of {} was killed, and has been finished now", file);
            } else {
                Files.delete(ready);
                log.warn(
                        "A repair of {} was killed, and the file replaced since. The file stays as it is, and the damaged"
                                + " one is {}",
                        file,
                        names.damaged());
            }
        }
        discard(file);
    }

    /** A repair gives its files to the owner of the damaged one. A file of somebody else must not become the store. */
    private static boolean isOurs(Path made, Path file) throws IOException {
        return Files.isRegularFile(made, LinkOption.NOFOLLOW_LINKS)
                && (Files.exists(file) ? DiskFiles.haveSameOwner(made, file) : !DiskFiles.isForeign(file, made));
    }

    private static Names namesOf(Path made, Path file) throws IOException {
        return Names.at(file, Files.getLastModifiedTime(made).toInstant());
    }

    private static boolean isSame(Path file, Path damaged) throws IOException {
        return Files.exists(file) && Files.exists(damaged) && Files.mismatch(file, damaged) < 0;
    }

    /** Deletes what was made, unless it is complete. */
    static void discard(Path file) {
        Path made = SqliteFiles.beside(file, NEW);
        try {
            if (Files.notExists(SqliteFiles.beside(file, READY), LinkOption.NOFOLLOW_LINKS)) {
                if (Files.exists(made, LinkOption.NOFOLLOW_LINKS)) {
                    Path damaged = namesOf(made, file).damaged();
                    if (isSame(file, damaged)) {
                        Files.delete(damaged); // or the application would write to a file of that name
                    }
                    Files.delete(made);
                }
                Files.deleteIfExists(SqliteFiles.beside(file, SIDE));
            }
        } catch (IOException e) {
            log.warn("A repair of {} that did not end has left a file that could not be deleted", file, e);
        }
    }

    /** Each step can be taken again. The file exists after each, so that nobody takes the store for an empty one. */
    private static void finish(Path file, Names names, Steps steps) throws IOException {
        steps.next();
        if (Files.exists(SqliteFiles.beside(file, SIDE))) {
            Files.move(SqliteFiles.beside(file, SIDE), names.side());
        }
        for (String suffix : SqliteFiles.LOGS) {
            steps.next();
            if (Files.exists(SqliteFiles.beside(file, suffix))) {
                DiskFiles.restrict(SqliteFiles.beside(file, suffix));
                Files.move(
                        SqliteFiles.beside(file, suffix),
                        SqliteFiles.beside(names.damaged(), suffix),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        steps.next();
        Files.deleteIfExists(SqliteFiles.beside(file, "-shm"));
        DiskFiles.syncFolder(SqliteFiles.folder(file));
        steps.next();
        Files.move(
                SqliteFiles.beside(file, READY),
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        DiskFiles.syncFolder(SqliteFiles.folder(file));
    }

    /** Gives a file a second name, or copies it where files have only one. */
    private static void keep(Path from, Path to) throws IOException {
        DiskFiles.restrict(from);
        try {
            Files.createLink(to, from);
        } catch (UnsupportedOperationException | FileSystemException e) {
            log.debug("The file system has no links; {} is copied", from, e);
            try (PartialFile partial = PartialFile.of(to, from)) {
                partial.copyFrom(from);
                partial.publish();
            }
        }
    }
}
