package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.StoreState;
import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.UnfinishedCopyException;

/** Identifies a file before changing anything in it, and migrates it to the current layout. */
final class SqliteSchema {

    private static final Logger log = LoggerFactory.getLogger(SqliteSchema.class);

    /** "TTLS" in ASCII, stored in the file's header to distinguish a store from other databases. */
    static final int APPLICATION_ID = 0x54_54_4C_53;

    /** "TTLC", stored there while the file holds an unfinished copy, so that no version of the store opens it. */
    static final int UNFINISHED_COPY_ID = 0x54_54_4C_43;

    /** "TTLB", stored there in a backup, until it is opened as a store again. */
    static final int BACKUP_ID = 0x54_54_4C_42;

    /**
     * How many numbers are left out at least when a backup is opened: as many as the store can have used since, if the clock is slow.
     */
    private static final long SKIPPED_NUMBERS = 1L << 32;

    /** How many numbers are left out at most when the sequence is ahead of the time. */
    private static final long MAX_SKIPPED_NUMBERS = 1L << 40;

    /** The table that Litestream adds to a file that it replicates. */
    static final String LITESTREAM = "_litestream_seq";

    private SqliteSchema() {}

    /** Creates the tables of a database in memory. */
    static void prepare(SqliteSession session) {
        session.inTransaction(() -> create(session));
    }

    /**
     * Checks an opened database, and creates or migrates its tables.
     *
     * @param session a session on the database
     * @param file its file
     * @param settings whether a file of another layout is copied before it is migrated, and the time
     */
    static void prepare(SqliteSession session, StoreFile file, SqliteSettings settings) {
        boolean copying = settings.copyBeforeMigration();
        Path path = file.path();
        Kind kind = inspect(session, path);
        file.requireWholePages(number(session, "page_size"));
        if (kind != Kind.NOTHING) {
            requireNothingForeign(session, path);
        }
        file.restrictToOwner(); // before anything is written
        switch (kind) {
            case STORE -> {
                int version = number(session, "user_version");
                if (version < Layouts.VERSION) {
                    requireIntact(session, path, version);
                    if (copying) {
                        MigrationCopy.make(session, path, "layout-" + version);
                    }
                    bringUpToDate(session, path, version);
                }
                if (number(session, "application_id") == BACKUP_ID) {
                    continueAfterBackup(session, settings.clock());
                    log.info("The file {} was a backup, and is a store from now on", path);
                } else if (settings.externalCheckpoints() || tables(session).contains(LITESTREAM)) {
                    continueAfterReplica(session, settings.clock());
                }
            }
            case NOTHING -> {
                if (settings.reclaims()) {
                    session.makeReclaimable(); // before there is a table
                }
                session.inTransaction(() -> create(session));
            }
            case LEGACY -> {
                log.info("The file {} has the older layout of one table 'kv'; migrating its entries", path);
                if (copying) {
                    MigrationCopy.make(session, path, "kv");
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

    /** Marks a file as a backup. */
    static void markAsBackup(SqliteSession session) {
        session.pragma("application_id = " + BACKUP_ID);
    }

    /** Refuses a file that is not a store or a backup of one. */
    static void requireStore(SqliteSession session, Path path) {
        if (inspect(session, path) != Kind.STORE) {
            throw new StoreFormatException(
                    path, "The file " + path + " is neither a store nor a backup of one", "Name another one", null);
        }
        if (number(session, "application_id") == UNFINISHED_COPY_ID) {
            throw new UnfinishedCopyException("The file " + path);
        }
    }

    /** Refuses a file whose schema has what could run within the statements of the store, before one of them uses a table. */
    static void requireNothingForeign(SqliteSession session, Path path) {
        SchemaCheck schema = SchemaCheck.of(session);
        if (isCurrent(session)) {
            schema.requireNothingForeign(path);
        } else {
            schema.requireTablesAndIndexes(path);
        }
    }

    /** Tests whether a store has the current layout. */
    static boolean isCurrent(SqliteSession session) {
        return number(session, "user_version") == Layouts.VERSION;
    }

    private static void continueAfterBackup(SqliteSession session, InstantSource clock) {
        session.inTransaction(() -> {
            StoreState state = Progress.read(session);
            Progress.save(session, new StoreState(unused(state.sequence(), SKIPPED_NUMBERS, clock), state.time()));
            return session.pragma("application_id = " + APPLICATION_ID);
        });
    }

    /**
     * Continues a store whose file may have been restored from a replica that lacks its last writes. Nothing in such a file says so, so
     * this is done at each opening, and leaves out nothing that need not be.
     */
    private static void continueAfterReplica(SqliteSession session, InstantSource clock) {
        boolean unused = session.inTransaction(() -> {
            StoreState state = Progress.read(session);
            Progress.save(session, new StoreState(unused(state.sequence(), 0, clock), state.time()));
            return true;
        });
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

    /** The kinds of files that are accepted. */
    private enum Kind {
        STORE,
        NOTHING,
        LEGACY
    }

    /**
     * Refuses a file that is not a store, without changing it.
     *
     * @param path the file
     * @param url opens the file read-only
     */
    static void requireNotForeign(Path path, String url) {
        try (SqliteSession session = SqliteSession.open(url, new SqliteErrors(path.toString()))) {
            inspect(session, path);
        } catch (StoreFormatException e) {
            throw e;
        } catch (StoreException e) {
            log.debug("The format of the file {} cannot be determined before it is opened", path, e);
        }
    }

    private static Kind inspect(SqliteSession session, Path path) {
        int applicationId;
        try {
            applicationId = number(session, "application_id");
        } catch (StoreCorruptedException e) {
            if (!SqliteErrors.isNoDatabase(e)) {
                throw e;
            }
            throw new StoreFormatException(
                    path,
                    "The file " + path + " is not a store, or its beginning is damaged; it has not been touched",
                    "Give the store a path of its own, or restore a backup",
                    e);
        }
        int version = number(session, "user_version");
        requireUtf8(session, path);
        if (applicationId == APPLICATION_ID || applicationId == UNFINISHED_COPY_ID || applicationId == BACKUP_ID) {
            requireKnown(path, version);
            if (applicationId == UNFINISHED_COPY_ID && version < Layouts.VERSION) {
                throw new StoreFormatException(
                        path,
                        "The file " + path + " holds a copy that an earlier version has not finished; it has not been"
                                + " touched",
                        "Delete it, and copy the store again",
                        null);
            }
            return Kind.STORE;
        }
        List<String> tables = tables(session);
        if (applicationId == 0 && version == 0 && SchemaCheck.of(session).isEmpty()) {
            return Kind.NOTHING;
        }
        if (applicationId == 0 && LegacyLayout.isIn(session, tables)) {
            return Kind.LEGACY;
        }
        throw new StoreFormatException(
                path,
                "The file " + path + " is an SQLite database of another application; it has not been touched",
                "Give the store a path of its own",
                null);
    }

    private static boolean create(SqliteSession session) {
        session.pragma("application_id = " + APPLICATION_ID);
        return run(session, Layouts.CREATE.stream());
    }

    private static void bringUpToDate(SqliteSession session, Path path, int version) {
        try {
            session.inTransaction(() -> {
                run(session, Layouts.migration(version));
                if (version < Layouts.SEALED) {
                    Sealing.run(session);
                }
                SchemaCheck.of(session).requireNothingForeign(path);
                return true;
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
            if (session.isIntact()) {
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

    private static boolean run(SqliteSession session, Stream<String> statements) {
        statements.forEach(session::execute);
        session.pragma("user_version = " + Layouts.VERSION);
        return true;
    }

    private static void requireKnown(Path path, int version) {
        if (version > Layouts.VERSION) {
            throw new NewerStoreException(path, version, Layouts.VERSION);
        }
        if (version < 1) {
            throw new StoreFormatException(
                    path, "The store " + path + " has the unknown layout " + version, "Restore a backup", null);
        }
    }

    private static void requireUtf8(SqliteSession session, Path path) {
        String encoding = session.pragma("encoding");
        if (!"UTF-8".equals(encoding)) {
            throw new StoreFormatException(
                    path,
                    "The file " + path + " keeps its text as " + encoding
                            + " rather than UTF-8; it has not been touched",
                    "Copy its tables into a new database first",
                    null);
        }
    }

    private static List<String> tables(SqliteSession session) {
        return session.call(() -> session.bind("SELECT name FROM sqlite_schema WHERE type = 'table'")
                .list(row -> row.getString(1)));
    }

    private static int number(SqliteSession session, String pragma) {
        return Integer.parseInt(Objects.requireNonNull(session.pragma(pragma), pragma));
    }
}
