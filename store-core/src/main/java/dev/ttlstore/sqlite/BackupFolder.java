package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StorePathException;

/**
 * The backups of a store in a folder, in the order in which they were made. Their contents say so. Names do not, because a clock that was
 * wrong may have named one a year ahead, which would be the newest one for a year.
 *
 * @param file the store's file
 * @param folder the folder
 */
record BackupFolder(Path file, Path folder) {

    /** The end of the names of backups. */
    static final String SUFFIX = ".backup";

    private static final Logger log = LoggerFactory.getLogger(BackupFolder.class);

    /** Read in each layout. */
    private static final String MARK = "SELECT sequence, time FROM mark";

    /**
     * A backup that can be read.
     *
     * @param path the file
     * @param sequence the last number that the store had used
     * @param time the time of the store's last commit
     */
    private record Made(Path path, long sequence, long time) {

        String name() {
            return String.valueOf(path.getFileName());
        }
    }

    /** Returns all backups, those that cannot be read first, and then the oldest. */
    List<Path> inOrder() {
        List<Path> all = new ArrayList<>();
        ordered(list(), all).forEach(made -> all.add(made.path()));
        return all;
    }

    /** Returns the newest one. If a later name is on a file that cannot be read, returns that: not to restore it must not go unnoticed. */
    Optional<Path> newest() {
        List<Path> unreadable = new ArrayList<>();
        List<Made> made = ordered(list(), unreadable);
        Path last = made.isEmpty() ? null : made.get(made.size() - 1).path();
        if (!unreadable.isEmpty()) {
            Path damaged = unreadable.get(unreadable.size() - 1);
            if (last == null || damaged.getFileName().compareTo(last.getFileName()) > 0) {
                return Optional.of(damaged);
            }
        }
        return Optional.ofNullable(last);
    }

    private List<Path> list() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        String prefix = file.getFileName() + ".";
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> {
                        String name = String.valueOf(each.getFileName());
                        return name.startsWith(prefix) && name.endsWith(SUFFIX) && Files.isRegularFile(each);
                    })
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new StorePathException(
                    file,
                    "The backups " + folder + " of the store " + file + " cannot be listed: " + DiskFiles.reason(e),
                    "Check that this user may read the folder",
                    e);
        }
    }

    private static List<Made> ordered(List<Path> paths, List<Path> unreadable) {
        List<Made> made = new ArrayList<>();
        for (Path each : paths) {
            Made read = read(each);
            if (read == null) {
                unreadable.add(each);
            } else {
                made.add(read);
            }
        }
        long now = Instant.now().toEpochMilli();
        return made.stream()
                .sorted(Comparator.<Made>comparingLong(each -> believed(each, made, now))
                        .thenComparingLong(Made::sequence)
                        .thenComparing(Made::name))
                .toList();
    }

    /**
     * Returns when a backup was made. If its time cannot be right, because it is in the future or from before there were stores, the sequence
     * says after which of the others that was. The sequence alone does not say it: it starts over when the store is deleted and created again.
     */
    private static long believed(Made backup, List<Made> all, long now) {
        return isBelievable(backup, now)
                ? backup.time()
                : all.stream()
                        .filter(each -> isBelievable(each, now) && each.sequence() <= backup.sequence())
                        .mapToLong(Made::time)
                        .max()
                        .orElse(Long.MIN_VALUE);
    }

    /** Believes what the store itself would. */
    private static boolean isBelievable(Made backup, long now) {
        return ClockLeap.isBelievable(backup.time(), now) && !ClockLeap.isTooEarly(backup.time());
    }

    private static @Nullable Made read(Path backup) {
        try (SqliteSession session =
                SqliteSession.open(SqliteFiles.url(backup) + "?immutable=1", new SqliteErrors(backup.toString()))) {
            FileFormat.requireStore(session, backup);
            FileFormat.requireNothingForeign(session, backup);
            return session.bind(MARK).<@Nullable Made>first(row -> new Made(backup, row.getLong(1), row.getLong(2)));
        } catch (StoreException e) {
            log.debug("The backup {} cannot be read", backup, e);
            return null;
        }
    }
}
