package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.verification.Finding.Kind;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationReport;

/**
 * Verifies or repairs the file of a store that is closed. A repair never writes to the damaged file. It writes what it can read to a new
 * file, gives the damaged one another name, and puts the new one in its place. The new one is marked as a backup, so that the store
 * continues its sequence behind all that it may have used.
 *
 * @param file the file
 * @param inspection what is found in it
 */
record Repair(Path file, Inspection inspection) {

    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    /** Work on a claimed file. */
    private interface Work<R> {
        R run(Path real) throws IOException;
    }

    private static <R> R claimed(Path given, Duration lockTimeout, String what, Work<R> work) {
        Path path = given.toAbsolutePath().normalize();
        if (!Files.isRegularFile(path)) {
            throw new StorePathException(
                    path,
                    "The store " + path + " cannot be " + what + ": "
                            + (Files.isDirectory(path) ? "it is a folder" : "there is no such file"),
                    "Check its path",
                    null);
        }
        try {
            Path real = path.toRealPath();
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout, () -> requireNotRefused(real));
            try {
                return work.run(real);
            } finally {
                ownership.close();
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StorePathException(
                    path,
                    "The store " + path + " cannot be " + what + ": " + DiskFiles.reason(e),
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

    /** Repairs a file, unless it is sound, and calls what may end the process while the file is replaced. */
    static RepairReport repair(Path given, Duration lockTimeout, Inspection inspection, Replacement.Steps steps) {
        return claimed(given, lockTimeout, "repaired", real -> {
            Replacement.settle(real);
            return new Repair(real, inspection).run(steps);
        });
    }

    /** Refuses a file that cannot be verified, before a lock file is created beside it. */
    private static void requireNotRefused(Path file) throws IOException {
        try (SqliteSession session = openDamaged(file)) {
            requireLayout(session, file);
        } catch (StoreFormatException | UnfinishedCopyException e) {
            throw e;
        } catch (StoreException e) {
            log.debug("The layout of the file {} cannot be determined before it is read", file, e);
        }
    }

    /** Opens a file for reads only, with its log if there is one, and although pages may be missing at its end. */
    private static SqliteSession openDamaged(Path file) throws IOException {
        return SqliteSession.open(SqliteFiles.urlForReads(file), new SqliteErrors(file.toString()), session -> {
            session.pragma("query_only = 1");
            session.pragma("cell_size_check = 1");
            session.pragma("temp_store = MEMORY");
        });
    }

    private static void inspect(SqliteSession damaged, Path file, Inspection inspection) throws IOException {
        if (unreadable(damaged, file) != null) {
            inspection.found(
                    Kind.STRUCTURE, "The beginning of the file cannot be read, or pages at its end are missing");
            return;
        }
        long pageSize = damaged.pageSize();
        if (Files.size(file) % pageSize != 0) {
            inspection.found(Kind.STRUCTURE, "The file was cut off within a page of " + pageSize + " bytes");
        }
        new FileVerification(damaged, inspection).run(Map::of);
    }

    /** Refuses a file of another layout. Returns why the layout cannot be read; null if it can. */
    private static @Nullable StoreException unreadable(SqliteSession session, Path file) {
        try {
            requireLayout(session, file);
            return null;
        } catch (StoreFormatException | UnfinishedCopyException e) {
            throw e;
        } catch (StoreException e) {
            return e;
        }
    }

    private static void requireLayout(SqliteSession session, Path file) {
        FileFormat.requireStore(session, file);
        if (!FileFormat.isCurrent(session)) {
            throw new StoreFormatException(
                    file,
                    "The store " + file + " has the earlier layout " + session.pragma("user_version")
                            + "; it has not been touched",
                    "Open it once with this version, which checks and migrates it",
                    null);
        }
    }

    private RepairReport run(Replacement.Steps steps) throws IOException {
        Replacement replacement = Replacement.of(file);
        try (SideFile side = new SideFile(replacement.newSideFile(), file)) {
            Result result = rebuild(replacement.newFile(), side);
            if (result == null) {
                return report(null, null, inspection.report().rows(), 0, true);
            }
            inspection.step("publishing");
            side.finish();
            replacement.run(steps);
            String moved = side.rows() == 0
                    ? ""
                    : ", " + side.rows() + " moved to " + replacement.names().side();
            log.warn(
                    "The store {} was repaired: {} rows were kept{}. The damaged file is {}",
                    file,
                    result.kept(),
                    moved,
                    replacement.names().damaged());
            return report(
                    replacement.names().damaged(),
                    side.rows() == 0 ? null : replacement.names().side(),
                    result.kept(),
                    side.rows(),
                    result.complete());
        } finally {
            Replacement.discard(file);
        }
    }

    /** Reading a view could take for ever, and return what somebody else has made up. */
    private void requireOwnTables(SqliteSession damaged) {
        boolean replaced;
        try {
            replaced = SchemaCheck.of(damaged).hasReplaced();
        } catch (StoreException e) {
            log.debug("The schema of the file {} cannot be read yet", file, e);
            return;
        }
        if (replaced) {
            throw new StoreFormatException(
                    file,
                    "The store " + file
                            + " cannot be repaired, because tables or indexes of other definitions are in the"
                            + " place of its own; it has not been touched",
                    "Restore a backup",
                    null);
        }
    }

    private void requireReadable(SqliteSession damaged) {
        StoreException reason = unreadable(damaged, file);
        if (reason != null) {
            throw new StoreException(
                    "The store " + file + " cannot be repaired, because its first page is damaged; it has not been"
                            + " touched",
                    "Restore a backup",
                    reason);
        }
    }

    /** What a repair has saved, and whether it has reached everything. */
    private record Result(long kept, boolean complete) {}

    /** Makes the new file; null if the old one is sound. */
    private @Nullable Result rebuild(Path partial, SideFile side) throws IOException {
        try (SqliteSession damaged = openDamaged(file)) {
            inspect(damaged, file, inspection);
            if (inspection.report().isSound()) {
                return null;
            }
            requireOwnTables(damaged);
            damaged.pragma("writable_schema = 1"); // reads a file that has fewer pages than it should have
            requireReadable(damaged);
            DiskFiles.createFor(file, partial); // before it has any content
            return rebuild(damaged, partial, side);
        }
    }

    private Result rebuild(SqliteSession damaged, Path partial, SideFile side) {
        try (SqliteSession target =
                SqliteSession.open(SqliteFiles.url(partial), new SqliteErrors(partial.toString()))) {
            target.pragma("journal_mode = OFF"); // if this fails, the new file is deleted
            target.pragma("synchronous = OFF"); // it is synced at the end
            target.makeReclaimable(); // as a new file of the store is
            SqliteSchema.prepare(target);
            RebuiltFile rebuilt = new RebuiltFile(target, side);
            boolean complete = target.inTransaction(() -> salvage(damaged, rebuilt));
            inspection.step("the new file");
            requireSound(target);
            if (rebuilt.kept() == 0
                    && side.rows() == 0
                    && !complete) { // an empty store would hide that there was another one
                throw new StoreException(
                        "Nothing in the file " + file + " can be read; it was not touched", "Restore a backup", null);
            }
            FileFormat.markAsBackup(target);
            return new Result(rebuilt.kept(), complete);
        }
    }

    private boolean salvage(SqliteSession damaged, RebuiltFile rebuilt) {
        Salvage salvage = new Salvage(damaged, inspection);
        inspection.step("entries");
        boolean complete = true;
        if (!salvage.read(SequenceRow.READ, rebuilt::mark) || !rebuilt.hasMark()) {
            complete = lost("The sequence of the store cannot be read; it continues after the versions found");
        }
        complete &= rows(salvage, rebuilt.entries());
        complete &= rows(salvage, rebuilt.retained());
        inspection.step("deliveries");
        if (!salvage.read(RebuiltFile.SUBSCRIBERS, rebuilt::subscriber)
                && !salvage.read(RebuiltFile.SUBSCRIBERS + " ORDER BY name DESC", rebuilt::subscriber)) {
            complete = lost("Some subscribers cannot be read; their deliveries are in the side file");
        }
        complete &= rows(salvage, rebuilt.deliveries());
        rebuilt.finish();
        return complete;
    }

    /** Reads what can be read of a table, and names what is lost. Returns whether that is nothing. */
    private boolean rows(Salvage salvage, Salvage.Part part) {
        Salvage.Table table = part.table();
        Salvage.Gap gap = salvage.ends(table, part.taker());
        List<Salvage.Missing> lost = new ArrayList<>();
        boolean indexed = salvage.indexed(table, part.found(), part.taker(), lost);
        boolean searched = gap == null || indexed || salvage.between(table, gap, part.taker());
        lost.removeIf(part.found());
        for (Salvage.Missing each : lost) {
            inspection.found(
                    Kind.STRUCTURE,
                    each.group(),
                    each.name(),
                    "The row of the table '" + table.name() + "' cannot be read, and is lost");
        }
        boolean known = gap == null || indexed;
        if (!known) {
            boolean unused = lost("Some rows of the table '" + table.name() + "' may be lost"
                    + (searched ? "" : ", and not all places were tried"));
        }
        return lost.isEmpty() && known;
    }

    private boolean lost(String problem) {
        inspection.found(Kind.STRUCTURE, problem);
        return false;
    }

    private void requireSound(SqliteSession target) {
        Inspection after = new Inspection("The repair", progress -> inspection.requireGoingOn(), () -> false);
        new FileVerification(target, after).run(Map::of);
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
}
