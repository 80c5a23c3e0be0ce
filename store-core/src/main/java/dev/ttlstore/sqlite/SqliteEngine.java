package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.BackupListener;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineInfo;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.EngineStats.Sizes;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.commit.RowBatch;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.engine.support.OwnerState;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/**
 * The embedded engine. In a file, one connection writes and several read. Reads see the last commit, so they never
 * wait for a write. SQLite has no such mode in memory: there is one connection, and a read waits for the commit in
 * progress.
 */
final class SqliteEngine implements Engine {

    private static final Logger log = LoggerFactory.getLogger(SqliteEngine.class);

    /** How long a check waits for the commit before it, which may call code that does not return. */
    private static final Duration CHECK_PATIENCE = Duration.ofSeconds(10);

    /** A name that no entry can have. */
    private static final RowKey PROBED = new RowKey("\0", "\0");

    private static final int PROBED_BYTES = 16_384;

    /** Commits and reads end within milliseconds, unless code that they call blocks. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(200);

    private final EngineInfo info;
    private final @Nullable Disk disk;
    private final SessionPool writer;
    private final SessionPool readers;
    private final PooledReads reads;
    private final Deliveries deliveries;
    private final OwnerState owner;

    /** When the writer last checked its file; used only by the writer. */
    private long lastLook = System.nanoTime();

    /** The parts of an engine that keeps its rows in a file. */
    record Disk(
            StoreFile file,
            Checkpointer checkpointer,
            DiskSpace space,
            Reclaimer reclaimer,
            LongReads reads,
            Supplier<SqliteSession> opener,
            Backups backups,
            long lookNanos) {}

    SqliteEngine(EngineInfo info, @Nullable Disk disk, SessionPool writer, SessionPool readers, OwnerState owner) {
        this.info = info;
        this.disk = disk;
        this.writer = writer;
        this.readers = readers;
        this.reads = new PooledReads(readers);
        this.deliveries = new SqliteDeliveries(readers);
        this.owner = owner;
    }

    @Override
    public EngineInfo info() {
        return info;
    }

    @Override
    public StoreClock clock() {
        return owner.clock();
    }

    @Override
    public EngineSnapshot snapshot() {
        return new Snapshot();
    }

    /** A snapshot that reads what is committed. It needs no transaction in the file, because nobody else writes while it is used. */
    private final class Snapshot implements EngineSnapshot {

        @Override
        public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
            Map<String, NamespaceUsage> usage = new HashMap<>();
            for (String namespace : namespaces) {
                usage.put(namespace, owner.usage().of(namespace, reads::usage));
            }
            return new Loaded(keys.isEmpty() ? Map.of() : reads.get(keys, Reads.ALL), usage);
        }

        @Override
        public Reads reads() {
            return reads;
        }

        @Override
        public long now() {
            return owner.clock().now();
        }

        /** Sets numbers aside in a commit of its own, because the transaction may show them and then be lost with the process. */
        @Override
        public long nextSequence(String group) {
            long next = owner.next();
            if (owner.due(false) != null) {
                change(transaction -> {}); // which saves what is due
            }
            return next;
        }

        @Override
        public void close() {}
    }

    @Override
    public void apply(Batch batch, CommitObserver observer) {
        Committed committed = write(new RowBatch(batch, observer)::run);
        observer.committed(committed);
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public EngineStats stats(long now) {
        return new EngineStats(
                readers.with(session -> session.reads().totals(now)),
                disk == null ? Sizes.NONE : disk.file().sizes(),
                null);
    }

    @Override
    public long nextDue() {
        return readers.with(session -> session.reads().nextDue());
    }

    @Override
    public boolean areDue(long now, int rows) {
        return readers.with(session -> session.reads().areDue(now, rows));
    }

    @Override
    public Deliveries deliveries() {
        return deliveries;
    }

    /** Runs work in a commit. If there was no room and some could be made, it runs again. */
    <R extends @Nullable Object> R write(Function<SqliteCommit, R> work) {
        return writer.with(session -> {
            requireFileNowAndThen(); // within the session, because a closed store must report that first
            return disk == null
                    ? new SqliteCommit(session, owner, () -> true, false, Integer.MAX_VALUE).commit(work, () -> {})
                    : disk.space().write(session, work);
        });
    }

    /** Runs work without an answer in a commit. */
    void change(Consumer<SqliteCommit> work) {
        boolean unused = write(transaction -> {
            work.accept(transaction);
            return true;
        });
    }

    /** Sets the groups whose writes keep the age index up to date from now on. */
    void maintainAges(Set<String> groups) {
        writer.use(session -> session.maintainAges(groups));
    }

    /** Reads in one of the sessions for readers. */
    <R extends @Nullable Object> R read(Function<SqliteSession, R> work) {
        return readers.with(work);
    }

    /** Returns the clock and the numbers. */
    OwnerState owner() {
        return owner;
    }

    @Override
    public long backup(Path target, BackupListener listener) {
        return requireDisk().backups().write(target, listener);
    }

    @Override
    public List<Path> backups(Path folder) {
        return new BackupFolder(requireDisk().file().path(), folder).inOrder();
    }

    private Disk requireDisk() {
        if (disk == null) {
            throw new UnsupportedOperationException("A store in memory has no backups; give it a path");
        }
        return disk;
    }

    @Override
    public VerificationReport verify(Consumer<? super VerificationProgress> listener) {
        String work = "The verification of the store";
        if (disk == null) {
            Inspection quiet =
                    new Inspection(work, progress -> {}, () -> false); // the listener could not use the store
            VerificationReport report = readers.with(session -> {
                new FileVerification(session, quiet).run(owner.usage()::counted);
                return quiet.report();
            });
            listener.accept(new VerificationProgress("all", report.rows(), report.total(), report.elapsed()));
            return report;
        }
        Inspection inspection = new Inspection(work, listener, disk.reads()::isClosed);
        disk.reads().begin();
        try (SqliteSession session = disk.opener().get()) {
            new FileVerification(session, inspection).run(() -> countedAtBeginning(session));
            return inspection.report();
        } finally {
            disk.reads().end();
        }
    }

    /** Begins the snapshot of a session between two commits, and returns the usage at that moment. */
    private Map<String, List<GroupUsage>> countedAtBeginning(SqliteSession session) {
        return writer.with(writing -> {
            Map<String, List<GroupUsage>> counted = owner.usage().counted();
            FileVerification.beginSnapshot(session);
            return counted;
        });
    }

    @Override
    public void settle() {
        if (disk != null) {
            disk.checkpointer().settle();
        }
    }

    /** Checks now and then that the writer still writes to the file that the next opening will find. */
    private void requireFileNowAndThen() {
        long now = System.nanoTime();
        if (disk != null && now - lastLook >= disk.lookNanos()) {
            disk.file().requireStillThere();
            lastLook = now;
        }
    }

    @Override
    public void check() {
        readers.with(SequenceRow::read); // first, because it reports that the store is closed
        writer.requireReturned(CHECK_PATIENCE);
        if (disk != null) {
            disk.file().requireStillThere();
            disk.space().check(writer);
        }
        write(SqliteEngine::probe);
    }

    /**
     * Writes more than a small entry and removes it again, in the same commit. On a full disk a smaller write may
     * still succeed although there is no room for an entry. It commits, because a rollback would not reach the disk.
     */
    private static boolean probe(SqliteCommit transaction) {
        Row row = new Row(PROBED, new byte[PROBED_BYTES], 0, 0, 0, Row.NEVER - 1);
        transaction.store(List.of(new RowChange(null, row)));
        transaction.store(List.of(new RowChange(row, null)));
        return true;
    }

    @Override
    public void close() {
        closeNow(Duration.ZERO);
    }

    /**
     * Waits for commits and reads in progress. A commit may call code that does not return, such as a codec, a cipher or a clock. Then a
     * thread of its own closes the file when that has ended, and until then the file stays locked.
     */
    @Override
    public void close(Duration timeout) {
        long end = System.nanoTime() + (timeout.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : timeout).toNanos();
        if (writer.awaitUnused(end - System.nanoTime()) && readers.awaitUnused(end - System.nanoTime())) {
            closeNow(timeout);
            return;
        }
        if (disk != null) {
            log.warn(
                    "A commit or a read of the store {} has not ended in time. Until it has, the file stays open and locked",
                    info.path());
        }
        writer.refuse();
        readers.refuse();
        Thread closing = BackgroundThreads.named("ttl-store-close").newThread(() -> closeNow(Duration.ZERO));
        closing.start();
    }

    private void closeNow(Duration timeout) {
        saveState();
        try {
            if (disk != null) {
                disk.reads().close(timeout);
                disk.reclaimer().close(); // first, because these two use the writer's connection
                disk.checkpointer().close();
            }
        } finally {
            try {
                readers.close(); // then these: the writer closes last and checkpoints the WAL
            } finally {
                if (disk == null) {
                    writer.close();
                } else {
                    close(disk);
                }
            }
        }
    }

    /** Saves the last sequence number and the time, so that the next opening continues without a gap. */
    private void saveState() {
        try {
            change(transaction -> transaction.save(owner.close()));
        } catch (StoreClosedException e) {
            log.trace("Closed before", e);
        } catch (RuntimeException | Error e) {
            log.warn("The state of the store could not be saved on close; no data is lost", e);
        }
    }

    private void close(Disk disk) {
        try {
            disk.space().close(writer::close);
        } finally {
            disk.file().close();
        }
    }
}
