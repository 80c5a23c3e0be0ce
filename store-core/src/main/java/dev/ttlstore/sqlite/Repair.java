package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
import dev.ttlstore.exception.UnfinishedCopyException;
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
            FileOwnership ownership = FileOwnership.claim(real, lockTimeout, () -> requireNotRefused(real));
            try {
                Replacement.settle(real);
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
        return repair(given, lockTimeout, inspection, () -> {});
    }

    /** Repairs a file, and calls what may end the process while the file is replaced. */
    static RepairReport repair(Path given, Duration lockTimeout, Inspection inspection, Replacement.Steps steps) {
        return claimed(given, lockTimeout, "repaired", real -> new Repair(real, inspection).run(steps));
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
        SqliteErrors errors = new SqliteErrors(file.toString());
        String how = StoreFile.isSettled(file) ? "?immutable=1" : "?mode=ro";
        SqliteSession session = SqliteSession.open(StoreFile.url(file) + how, errors);
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
        } catch (StoreFormatException | UnfinishedCopyException e) {
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
                    "Open it once with this version, which migrates it",
                    null);
        }
    }

    private RepairReport run(Replacement.Steps steps) throws IOException {
        Replacement replacement = Replacement.of(file);
        try (SideFile side = new SideFile(replacement.newSideFile())) {
            Result result = rebuild(replacement.newFile(), side);
            if (result == null) {
                return report(null, null, inspection.report().rows(), 0, true);
            }
            inspection.step("publishing");
            side.finish();
            replacement.run(steps);
            String moved = side.rows() == 0 ? "" : ", " + side.rows() + " moved to " + replacement.sideFile();
            log.warn(
                    "The store {} was repaired: {} rows were kept{}. The damaged file is {}",
                    file,
                    result.kept(),
                    moved,
                    replacement.damagedFile());
            return report(
                    replacement.damagedFile(),
                    side.rows() == 0 ? null : replacement.sideFile(),
                    result.kept(),
                    side.rows(),
                    result.complete());
        } finally {
            replacement.discard();
        }
    }

    private void requireReadable(SqliteSession damaged) {
        try {
            requireLayout(damaged, file);
        } catch (StoreFormatException | UnfinishedCopyException e) {
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

    /** Makes the new file; null if the old one is sound. */
    private @Nullable Result rebuild(Path partial, SideFile side) throws IOException {
        try (SqliteSession damaged = openDamaged(file)) {
            inspect(damaged, file, inspection);
            if (inspection.report().isSound()) {
                return null;
            }
            damaged.pragma("writable_schema = 1"); // reads a file that has fewer pages than it should have
            requireReadable(damaged);
            OwnerOnly.createFile(partial); // before it has any content
            return rebuild(damaged, partial, side);
        }
    }

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
}
