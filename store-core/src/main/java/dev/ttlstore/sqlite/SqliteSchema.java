package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreFullException;

/** Creates the tables of a store, or migrates them to the current layout. */
final class SqliteSchema {

    private static final Logger log = LoggerFactory.getLogger(SqliteSchema.class);

    /**
     * How many numbers are left out at least when a backup is opened: as many as the store can have used since, if the clock is slow.
     */
    private static final long SKIPPED_NUMBERS = 1L << 32;

    /** How many numbers are left out at most when the sequence is ahead of the time. */
    private static final long MAX_SKIPPED_NUMBERS = 1L << 40;

    private SqliteSchema() {}

    /** Creates the tables of a database in memory. */
    static void prepare(SqliteSession session) {
        session.commit(() -> create(session));
    }

    /**
     * Checks an opened database, and creates or migrates its tables.
     *
     * @param session a session on the database
     * @param file its file
     * @param settings whether a file of another layout is copied before it is migrated, and the time
     */
    static void prepare(SqliteSession session, StoreFile file, SqliteSettings settings) {
        boolean copying = settings.options().copyBeforeMigration;
        Path path = file.path();
        FileFormat.Kind kind = FileFormat.inspect(session, path);
        file.requireWholePages(session.pageSize());
        if (kind != FileFormat.Kind.NOTHING) {
            FileFormat.requireNothingForeign(session, path);
        }
        file.restrictToOwner(); // before anything is written
        switch (kind) {
            case STORE -> {
                int version = FileFormat.layout(session);
                if (version < Layouts.VERSION) {
                    requireIntact(session, path, version);
                    if (copying) {
                        copy(session, path, "layout-" + version);
                    }
                    bringUpToDate(session, path, version);
                }
                if (FileFormat.isBackup(session)) {
                    continueAfterBackup(session, settings.asked().clock());
                    log.info("The file {} was a backup, and is a store from now on", path);
                } else if (settings.options().externalCheckpoints
                        || SchemaCheck.of(session).isReplicated()) {
                    // The file may have been restored from a replica that lacks its last writes. Nothing in such a file
                    // says so, so this is done at each opening.
                    session.commit(() -> leaveOut(session, 0, settings.asked().clock()));
                }
            }
            case NOTHING -> {
                if (settings.reclaims()) {
                    session.makeReclaimable(); // before there is a table
                }
                prepare(session);
            }
            case LEGACY -> {
                log.info("The file {} has the older layout of one table 'kv'; migrating its entries", path);
                if (copying) {
                    copy(session, path, "kv");
                }
                long taken = session.inTransaction(() -> {
                    create(session);
                    long rows = LegacyLayout.takeOver(session, path);
                    SchemaCheck.of(session).requireNothingForeign(path);
                    return rows;
                });
                log.info("Migrated {} entries into the store {}", taken, path);
            }
        }
    }

    /**
     * Copies the database of a session beside its file, because a migration goes one way. Without a complete copy, nothing is migrated.
     *
     * @param layout the layout of the file, for the name of the copy
     */
    private static void copy(SqliteSession session, Path file, String layout) {
        Path copy = SqliteFiles.beside(file, "." + layout);
        try (PartialFile partial = PartialFile.of(copy, file)) {
            session.bind("VACUUM INTO ?").text(partial.path().toString()).update();
            partial.replace();
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, because the disk"
                            + " is full; it was not changed. Give its folder room for the copy, or turn"
                            + " copyBeforeMigration off",
                    e);
        } catch (IOException e) {
            throw new StoreException(
                    "The file " + file + " could not be copied to " + copy + " before its migration, so it was not"
                            + " changed: " + e,
                    "Give its folder room and permissions, or turn copyBeforeMigration off",
                    e);
        }
        log.info("The file {} was copied to {} before its migration", file, copy);
    }

    private static void continueAfterBackup(SqliteSession session, InstantSource clock) {
        session.commit(() -> {
            leaveOut(session, SKIPPED_NUMBERS, clock);
            session.pragma("application_id = " + FileFormat.APPLICATION_ID);
        });
    }

    private static void leaveOut(SqliteSession session, long lead, InstantSource clock) {
        HighWater state = SequenceRow.read(session);
        SequenceRow.save(session, new HighWater(unused(state.sequence(), lead, clock), state.time()));
    }

    /**
     * Returns a number after which none was used, whatever was done with a state after it was copied. The time in microseconds is
     * beyond all that was used before, because no store uses a number per microsecond. It is the system's: a clock of the application may
     * tell the same time twice. If the sequence or that clock is ahead of it, because a clock was wrong or the state was itself continued
     * from a backup, another opening of the same state must not come to the same number: so chance decides.
     *
     * @param sequence the last number of the state
     * @param lead how far the time must be ahead to be believed
     */
    private static long unused(long sequence, long lead, InstantSource clock) {
        long ofStore = TimeUnit.MILLISECONDS.toMicros(clock.millis()); // first, so that a right clock is not ahead
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return ofStore <= micros && micros > sequence + lead
                ? micros
                : Math.max(sequence, ofStore)
                        + ThreadLocalRandom.current().nextLong(SKIPPED_NUMBERS, MAX_SKIPPED_NUMBERS);
    }

    private static void create(SqliteSession session) {
        session.pragma("application_id = " + FileFormat.APPLICATION_ID);
        run(session, Layouts.CREATE.stream());
    }

    private static void bringUpToDate(SqliteSession session, Path path, int version) {
        try {
            session.commit(() -> {
                run(session, Layouts.migration(version));
                if (version < Layouts.SEALED) {
                    ChecksumBackfill.run(session);
                }
                SchemaCheck.of(session).requireNothingForeign(path);
            });
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The store " + path + " could not be migrated from layout " + version + " to " + Layouts.VERSION
                            + ", because its disk is full; it was not changed. Free about twice the size of the"
                            + " file, and open it again",
                    e);
        } catch (StoreCorruptedException e) {
            throw notMigrated(path, version, e);
        } catch (StoreException e) {
            if (!SqliteErrors.isRefusedStatement(e)) {
                throw e;
            }
            throw new StoreFormatException(
                    path,
                    "The store " + path + " cannot be migrated from layout " + version + " to " + Layouts.VERSION
                            + " and was not changed: its tables are not those that TTL Store made. "
                            + e.getMessage(),
                    "Undo what another program has changed in them, or restore a backup",
                    e);
        }
        log.info("The store {} was migrated from layout {} to {}", path, version, Layouts.VERSION);
    }

    /** Requires that the indexes match the rows. A migration builds some indexes from the rows, which would hide that a row is damaged. */
    private static void requireIntact(SqliteSession session, Path path, int version) {
        try {
            if ("ok".equals(session.pragma("integrity_check(1)"))) {
                return;
            }
        } catch (StoreCorruptedException e) {
            throw notMigrated(path, version, e);
        }
        throw notMigrated(path, version, null);
    }

    private static StoreCorruptedException notMigrated(Path path, int version, @Nullable StoreException cause) {
        return new StoreCorruptedException(
                "The store " + path + " is damaged, so it was not migrated from layout " + version + " to "
                        + Layouts.VERSION + "; it was not changed",
                "Restore a backup, or export the entries with the version that has written it, and import them into a"
                        + " new file",
                cause);
    }

    private static void run(SqliteSession session, Stream<String> statements) {
        statements.forEach(session::execute);
        session.pragma("user_version = " + Layouts.VERSION);
    }
}
