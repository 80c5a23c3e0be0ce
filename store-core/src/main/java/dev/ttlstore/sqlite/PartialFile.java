package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.DiskFiles;

/**
 * A file that is made under a name that nobody else has, and gets its own name when it is complete. Only its owner can read it, from its
 * first byte. What a killed process has left is recognized by such a name, and removed later.
 *
 * @param target the name that it gets in the end
 * @param path where it is until it is complete
 */
record PartialFile(Path target, Path path) implements AutoCloseable {

    /** The end of the name of a file that is not complete. */
    static final String SUFFIX = ".partial";

    private static final Logger log = LoggerFactory.getLogger(PartialFile.class);

    /** Nobody stops for so long in the middle of a file. */
    private static final Duration LEFT_BEHIND = Duration.ofHours(1);

    /** What SQLite may leave beside a file. */
    private static final List<String> BESIDE = List.of("-journal", "-wal", "-shm");

    private static final Pattern NAME = Pattern.compile(
            "(?<target>.+)\\.\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\.partial(-journal|-wal|-shm)?");

    /**
     * Creates an empty file, and gives it to the owner of a store's file. Removes those in its folder that this user has not changed for
     * an hour.
     *
     * @param target the name that it gets in the end
     * @param store the store's file; the target if there is no other
     */
    static PartialFile of(Path target, Path store) throws IOException {
        Path path = SqliteFiles.beside(target, "." + UUID.randomUUID() + SUFFIX);
        DiskFiles.createFor(store, path);
        removeLeftBehind(path);
        return new PartialFile(target, path);
    }

    /**
     * Removes those that were to become a store's file. Only its owner makes them, so only it may remove them at once: a backup may go on
     * for a moment when its store is closed.
     */
    static void removeLeftOf(Path store) {
        String name = name(store);
        forEachIn(SqliteFiles.folder(store), each -> {
            Matcher matcher = NAME.matcher(name(each));
            if (matcher.matches() && name.equals(matcher.group("target"))) {
                remove(each);
            }
        });
    }

    private static void removeLeftBehind(Path mine) {
        Instant latest = Instant.now().minus(LEFT_BEHIND);
        forEachIn(SqliteFiles.folder(mine), each -> {
            if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
                    && DiskFiles.haveSameOwner(each, mine)
                    && Files.getLastModifiedTime(each).toInstant().isBefore(latest)) {
                remove(each);
            }
        });
    }

    private interface Use {
        void of(Path partial) throws IOException;
    }

    private static void forEachIn(Path folder, Use use) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                folder, each -> NAME.matcher(name(each)).matches())) {
            for (Path each : files) {
                use.of(each);
            }
        } catch (IOException | RuntimeException e) { // they do no harm
            log.debug("What killed processes have left in the folder {} could not be removed", folder, e);
        }
    }

    private static void remove(Path left) throws IOException {
        if (Files.deleteIfExists(left)) {
            log.info("The incomplete file {}, which a killed process has left, was deleted", left);
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Fills it with the content of another file. */
    void copyFrom(Path source) throws IOException {
        try (InputStream in = Files.newInputStream(source);
                OutputStream out = Files.newOutputStream(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long unused = in.transferTo(out);
        }
    }

    /**
     * Forces the file to the disk and gives it its name. Replaces no file, not even one that has appeared since the beginning.
     *
     * @throws FileAlreadyExistsException if there is one
     */
    void publish() throws IOException {
        DiskFiles.sync(path);
        DiskFiles.giveName(path, target);
        DiskFiles.syncFolder(SqliteFiles.folder(target));
    }

    /** Forces the file to the disk and gives it its name, in the place of a file that has it. */
    void replace() throws IOException {
        DiskFiles.sync(path);
        Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        DiskFiles.syncFolder(SqliteFiles.folder(target));
    }

    /** Deletes what is still under the name of an incomplete file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
            for (String suffix : BESIDE) {
                Files.deleteIfExists(SqliteFiles.beside(path, suffix));
            }
        } catch (IOException e) {
            log.warn("The incomplete file {} could not be deleted; delete it", path, e);
        }
    }
}
