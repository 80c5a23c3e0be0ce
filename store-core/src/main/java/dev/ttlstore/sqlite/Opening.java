package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.support.EarlyClasses;
import dev.ttlstore.engine.support.OwnerState;
import dev.ttlstore.exception.UnfinishedCopyException;

/** Opens the embedded engine: claims its file, prepares its tables, and joins its parts. */
final class Opening {

    private Opening() {}

    /**
     * Opens an engine for a use, and closes it if that fails.
     *
     * @param path the file; null for an engine in memory
     */
    static <R> R open(@Nullable Path path, SqliteSettings settings, Function<SqliteEngine, R> use) {
        NativeLibrary.load();
        EarlyClasses.initialize(Opening.class);
        SqliteEngine engine = path == null ? inMemory(settings) : file(path, settings);
        try {
            return use.apply(engine);
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    static void requireFinished(SqliteEngine engine) {
        if (engine.read(FileFormat::isUnfinishedCopy)) {
            throw new UnfinishedCopyException("The file " + engine.info().path());
        }
    }

    /** Opens an empty engine in memory. */
    static SqliteEngine inMemory(SqliteSettings settings) {
        SqliteErrors errors = new SqliteErrors("in memory");
        SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, errors);
        try {
            settings.configure(session, SqliteSettings.Role.MEMORY);
            SqliteSchema.prepare(session);
            OwnerState owner =
                    new OwnerState(SequenceRow.read(session), settings.asked().clock());
            SessionPool pool = new SessionPool(session);
            EngineInfo info = EngineInfo.exclusive("SQLite " + session.version(), null);
            return new SqliteEngine(info, null, pool, pool, owner);
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    /** Opens the engine of a file. Creates the file, or migrates it, if needed. */
    @SuppressWarnings("try") // some are only closed
    static SqliteEngine file(Path path, SqliteSettings settings) {
        StoreFile file = StoreFile.claim(path, settings.asked().lockTimeout());
        SqliteSession session = null;
        SessionPool readers = null;
        Reserve reserve = null;
        try {
            SqliteErrors errors = new SqliteErrors(file.path().toString());
            String url = SqliteFiles.url(file.path());
            Reserve.giveUpForOpening(file.path());
            session = SqliteSession.open(url, errors);
            if (settings.options().externalCheckpoints) {
                session.stopCheckpoints(); // a migration would make some
            }
            SqliteSchema.prepare(session, file, settings);
            settings.configure(session, SqliteSettings.Role.WRITER);
            SequenceRow.read(session); // creates the WAL if there is none
            file.noteLog();
            SessionPool writer = new SessionPool(session);
            Function<SqliteSettings.Role, SqliteSession> opener = role -> {
                file.requireStillThere(); // or SQLite would read another file, or create an empty one
                return SqliteSession.open(url, errors, opened -> settings.configure(opened, role));
            };
            readers = new SessionPool(settings.options().readers, () -> opener.apply(SqliteSettings.Role.READER));
            // Opens the first reader, so that reads go on if the file is moved away.
            HighWater saved = readers.with(SequenceRow::read);
            OwnerState owner = new OwnerState(saved, settings.asked().clock());
            Checkpointer checkpointer = new Checkpointer(
                    writer,
                    () -> opener.apply(SqliteSettings.Role.WRITER),
                    file::force,
                    file::usableSpace,
                    settings.maxFrames(session.pageSize()),
                    settings.options().externalCheckpoints,
                    System::nanoTime);
            reserve = Reserve.open(file.path());
            Reclaimer reclaimer = new Reclaimer(
                    writer,
                    checkpointer,
                    settings.options().reclaimAfter,
                    new Reclaimer.AlarmThread(),
                    System::nanoTime);
            DiskSpace space = new DiskSpace(
                    file,
                    reserve,
                    checkpointer,
                    reclaimer,
                    session.pageSize(),
                    owner,
                    settings.asked().syncCommits() ? () -> true : file::syncLog);
            space.opened(session);
            reclaimer.opened(session);
            LongReads reads = new LongReads(checkpointer);
            return new SqliteEngine(
                    EngineInfo.exclusive("SQLite " + session.version(), file.path()),
                    new SqliteEngine.Disk(
                            file,
                            checkpointer,
                            space,
                            reclaimer,
                            reads,
                            () -> opener.apply(SqliteSettings.Role.READER),
                            new Backups(
                                    () -> forBackup(opener.apply(SqliteSettings.Role.WRITER), settings),
                                    owner::reached,
                                    reads),
                            settings.options().lookEvery.toNanos()),
                    writer,
                    readers,
                    owner);
        } catch (RuntimeException | Error e) {
            try (StoreFile last = file;
                    Reserve third = reserve;
                    SqliteSession second = session;
                    SessionPool first = readers) {
                throw e; // closes each of them, whatever closing another one throws
            }
        }
    }

    /** Lets a backup shrink once it is restored, although its source may be a file of an earlier version. */
    private static SqliteSession forBackup(SqliteSession session, SqliteSettings settings) {
        if (settings.reclaims()) {
            session.makeReclaimable();
        }
        return session;
    }
}
