package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.engine.support.RowRules;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.verification.Finding.Kind;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationReport;

/**
 * Verifies or repairs the file of a store that is closed. A repair never writes to the damaged file. It writes what it can read to a new
 * file, gives the damaged one another name, and puts the new one in its place. The new one is marked as a backup, so that the store
 * continues its sequence behind all that it may have used.
 */
final class Repair {

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    private static final String PARTIAL = ".repaired" + Backups.PARTIAL;

    private static final String SIDE_PARTIAL = ".rejected.jsonl" + Backups.PARTIAL;

    private static final List<String> LOGS = List.of("-wal", "-journal");

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HHmmss'Z'", Locale.ROOT);

    private final Path file;
    private final Inspection inspection;

    private Repair(Path file, Inspection inspection) {
        this.file = file;
        this.inspection = inspection;
    }

    /** Work on a claimed file. */
    private interface Work<R> {
        R run(Path real) throws IOException;
    }

    private static <R> R claimed(Path given, Duration lockTimeout, String what, Work<R> work) {
        Path path = given.toAbsolutePath().normalize();
        if (!Files.isRegularFile(path)) {
            throw new StorePathException(
                    path,
                    "The store " + path + " cannot be " + what + ": there is no such file",
                    "Check its path",
                    null);
        }
        try {
            Path real = path.toRealPath();
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout, () -> {});
            try {
                return work.run(real);
            } finally {
                ownership.close();
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StorePathException(
                    path,
                    "The store " + path + " cannot be " + what + ": "
                            + e.getClass().getSimpleName() + " " + e.getMessage(),
                    "Check the permissions of the file and of its folder, and the room on its disk",
                    e);
        }
    }

    /** Verifies a file. */
    static VerificationReport verify(Path given, Duration lockTimeout, Inspection inspection) {
        return claimed(given, lockTimeout, "verified", real -> {
            try (SqliteSession damaged = openDamaged(real)) {
                inspect(damaged, real, inspection);
            }
            return inspection.report();
        });
    }

    /** Repairs a file, unless it is sound. */
    static RepairReport repair(Path given, Duration lockTimeout, Inspection inspection) {
        return claimed(given, lockTimeout, "repaired", real -> new Repair(real, inspection).run());
    }

    /** Opens a file for reads only, with its log if there is one, and although pages may be missing at its end. */
    private static SqliteSession openDamaged(Path file) throws IOException {
        boolean settled = true;
        for (String suffix : LOGS) {
            Path beside = beside(file, suffix);
            settled &= !Files.exists(beside) || Files.size(beside) == 0;
        }
        SqliteErrors errors = new SqliteErrors(file.toString());
        SqliteSession session =
                SqliteSession.open(StoreFile.url(file) + (settled ? "?immutable=1" : "?mode=ro"), errors);
        try {
            session.pragma("query_only = 1");
            session.pragma("trusted_schema = 0");
            session.pragma("cell_size_check = 1");
            session.pragma("temp_store = MEMORY");
            return session;
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    private static void inspect(SqliteSession damaged, Path file, Inspection inspection) throws IOException {
        try {
            requireLayout(damaged, file);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            inspection.found(
                    Kind.STRUCTURE,
                    null,
                    null,
                    "The beginning of the file cannot be read, or pages at its end are missing");
            return;
        }
        long pageSize = damaged.pageSize();
        if (Files.size(file) % pageSize != 0) {
            inspection.found(
                    Kind.STRUCTURE, null, null, "The file was cut off within a page of " + pageSize + " bytes");
        }
        new Verification(damaged, inspection).run(Map::of);
    }

    private static void requireLayout(SqliteSession session, Path file) {
        SqliteSchema.requireStore(session, file);
        String layout = String.valueOf(session.pragma("user_version"));
        if (!layout.equals(Integer.toString(Layouts.VERSION))) {
            throw new StoreFormatException(
                    file,
                    "The store " + file + " has the earlier layout " + layout + "; it has not been touched",
                    "Open it once with this version, which migrates it. If that fails, restore a backup",
                    null);
        }
    }

    private RepairReport run() throws IOException {
        String stamp = LocalDateTime.now(ZoneOffset.UTC).format(STAMP);
        Path original = free(beside(file, "." + stamp), ".damaged");
        Path sidePath = free(beside(file, "." + stamp), ".rejected.jsonl");
        Path partial = beside(file, PARTIAL);
        discard(file);
        boolean done = false;
        try (SideFile side = new SideFile(beside(file, SIDE_PARTIAL), sidePath);
                SqliteSession damaged = openDamaged(file)) {
            inspect(damaged, file, inspection);
            VerificationReport before = inspection.report();
            if (before.isSound()) {
                return report(null, null, before.rows(), 0, true);
            }
            damaged.pragma("writable_schema = 1"); // reads a file that has fewer pages than it should have
            requireReadable(damaged);
            OwnerOnly.createFile(partial); // before it has any content
            Result result = rebuild(damaged, partial, side);
            inspection.step("publishing");
            publish(partial, original, side, damaged);
            done = true;
            log.warn(
                    "The store {} was repaired: {} rows were kept, {} moved to {}. The damaged file is {}",
                    file,
                    result.kept(),
                    side.rows(),
                    side.path(),
                    original);
            return report(original, side.path(), result.kept(), side.rows(), result.complete());
        } finally {
            Files.deleteIfExists(partial);
            if (!done) {
                Files.deleteIfExists(sidePath);
            }
        }
    }

    /** Deletes what a repair has left that was killed, when the file is opened instead of being repaired again. */
    static void discardAbandoned(Path file) {
        try {
            discard(file);
        } catch (IOException e) {
            log.warn("A repair of {} that was killed has left a file that could not be deleted", file, e);
        }
    }

    /** Deletes what a repair has left that was killed. Whoever calls this has the file to itself. */
    private static void discard(Path file) throws IOException {
        Files.deleteIfExists(beside(file, PARTIAL));
        Files.deleteIfExists(beside(file, SIDE_PARTIAL));
    }

    private void requireReadable(SqliteSession damaged) {
        try {
            requireLayout(damaged, file);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            throw new StoreException(
                    "The store " + file + " cannot be repaired, because its first page is damaged; it has not been"
                            + " touched",
                    "Restore a backup",
                    e);
        }
    }

    /** What a repair has saved, and whether it has reached everything. */
    private record Result(long kept, boolean complete) {}

    private Result rebuild(SqliteSession damaged, Path partial, SideFile side) {
        try (SqliteSession target = SqliteSession.open(StoreFile.url(partial), new SqliteErrors(partial.toString()))) {
            target.pragma("journal_mode = OFF"); // if this fails, the new file is deleted
            target.pragma("synchronous = OFF"); // it is synced at the end
            target.makeReclaimable(); // as a new file of the store is
            SqliteSchema.prepare(target);
            Rebuilt rebuilt = new Rebuilt(target, side);
            boolean complete = target.inTransaction(() -> salvage(damaged, target, rebuilt));
            inspection.step("the new file");
            requireSound(target);
            if (rebuilt.kept() == 0
                    && side.rows() == 0
                    && !complete) { // an empty store would hide that there was another one
                throw new StoreException(
                        "Nothing in the file " + file + " can be read; it was not touched", "Restore a backup", null);
            }
            SqliteSchema.markAsBackup(target);
            return new Result(rebuilt.kept(), complete);
        }
    }

    private boolean salvage(SqliteSession damaged, SqliteSession target, Rebuilt rebuilt) {
        Salvage salvage = new Salvage(damaged, inspection);
        inspection.step("entries");
        boolean complete = true;
        if (!salvage.read(Mark.READ, rebuilt::mark) || !rebuilt.hasMark()) {
            complete = lost("The sequence of the store cannot be read; it continues after the versions found");
        }
        Salvage.Gap gap = salvage.ends(rebuilt.entries(), rebuilt::entry);
        if (gap != null) {
            complete = false;
            entriesBetween(salvage, gap, rebuilt);
        }
        complete &= rows(salvage, rebuilt.retained(), rebuilt::retained);
        inspection.step("deliveries");
        if (!salvage.read(Rebuilt.SUBSCRIBERS, rebuilt::subscriber)
                && !salvage.read(Rebuilt.SUBSCRIBERS + " ORDER BY name DESC", rebuilt::subscriber)) {
            complete = lost("Some subscribers cannot be read; their deliveries are in the side file");
        }
        complete &= rows(salvage, rebuilt.deliveries(), rebuilt::delivery);
        target.call(() -> {
            rebuilt.finish();
            return true;
        });
        return complete;
    }

    private boolean rows(Salvage salvage, Salvage.Table table, Salvage.Reader reader) {
        Salvage.Gap gap = salvage.ends(table, reader);
        if (gap == null) {
            return true;
        }
        boolean searched = gap.isEmpty() || salvage.between(table, gap, reader);
        return lost("Some rows of the table '" + table.name() + "' cannot be read"
                + (searched ? "" : ", and not all places were tried"));
    }

    /** Reads what lies between damaged pages, by the names in the index, and reports the names of what is lost. */
    private void entriesBetween(Salvage salvage, Salvage.Gap gap, Rebuilt rebuilt) {
        Map<Long, RowKey> missing = new HashMap<>();
        Salvage.Reader names = row -> {
            String group = RowRules.decode(Columns.bytes(row, 2));
            String key = RowRules.decode(Columns.bytes(row, 3));
            if (group != null && key != null && gap.contains(row.getLong(1))) {
                missing.put(row.getLong(1), new RowKey(group, key));
            }
        };
        boolean all = salvage.read(Verification.NAMES + ", key", names);
        if (!all) {
            boolean unused = salvage.read(Verification.NAMES + " DESC, key DESC", names);
        }
        Salvage.Table entries = rebuilt.entries();
        missing.keySet().forEach(id -> salvage.at(entries, id, rebuilt::entry));
        if (!all && !gap.isEmpty() && !salvage.between(entries, gap, rebuilt::entry)) {
            boolean unused = lost("Some entries cannot be read, and not all places were tried");
        }
        List<RowKey> lost = new ArrayList<>(missing.values());
        lost.removeIf(name -> rebuilt.hasEntry(name.group(), name.key()));
        lost.forEach(name ->
                inspection.found(Kind.STRUCTURE, name.group(), name.key(), "The entry cannot be read, and is lost"));
        if (!all) {
            boolean unused = lost("Entries without a name in the index may be lost as well");
        }
    }

    private boolean lost(String problem) {
        inspection.found(Kind.STRUCTURE, null, null, problem);
        return false;
    }

    private void requireSound(SqliteSession target) {
        Inspection after = new Inspection("The repair", progress -> inspection.requireGoingOn(), () -> false);
        new Verification(target, after).run(Map::of);
        VerificationReport found = after.report();
        if (!found.isSound()) {
            throw new StoreException(
                    "The store " + file + " was not repaired, because the new file is not sound either: "
                            + found.findings().get(0).problem(),
                    "Restore a backup",
                    null);
        }
    }

    private RepairReport report(@Nullable Path original, @Nullable Path side, long kept, long moved, boolean complete) {
        VerificationReport found = inspection.report();
        return new RepairReport(
                file, original, side, kept, moved, found.findings(), found.total(), complete, found.elapsed());
    }

    /**
     * Gives the damaged file another name, and the new one its name. A crash leaves either file in its place. Only the log of the damaged
     * file goes first, because SQLite would write it into the new one; it is under its other name by then.
     */
    private void publish(Path partial, Path original, SideFile side, SqliteSession damaged) throws IOException {
        side.finish();
        try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        damaged.close();
        keep(file, original);
        for (String suffix : LOGS) {
            if (Files.exists(beside(file, suffix))) {
                keep(beside(file, suffix), beside(original, suffix));
            }
        }
        FolderSync.toDisk(StoreFile.folder(file));
        for (String suffix : LOGS) {
            Files.deleteIfExists(beside(file, suffix));
        }
        Files.deleteIfExists(beside(file, "-shm"));
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        FolderSync.toDisk(StoreFile.folder(file));
    }

    /** Gives a file a second name, or copies it where files have only one. */
    private static void keep(Path from, Path to) throws IOException {
        OwnerOnly.restrict(from);
        try {
            Files.createLink(to, from);
        } catch (UnsupportedOperationException | FileSystemException e) {
            log.debug("The file system has no links; {} is copied", from, e);
            OwnerOnly.createFile(to);
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            OwnerOnly.restrict(to);
            try (FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static Path free(Path base, String suffix) {
        Path path = beside(base, suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = beside(base, "-" + i + suffix);
        }
        return path;
    }
}
