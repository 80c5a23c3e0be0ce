package dev.ttlstore.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ttlstore.engine.ExpiryScan.Wanted;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/**
 * Stores rows. Any thread may read, and reads see committed rows only. One thread at a time calls {@link #apply} or uses a
 * {@link #snapshot}, but as many as {@link EngineInfo#commits} says {@code apply} a {@link Batch.Requests} at the same time; {@link #check} may
 * write beside them.
 *
 * <p>An engine belongs to one store. Other processes may have engines on the same data, unless {@link EngineInfo#exclusive}
 * says that this one owns them. Then the time, the sequence numbers, the usage of namespaces and the subscribers are the same
 * for all, and so they come from the engine.
 *
 * <p>Failures are thrown as exceptions of {@code dev.ttlstore.exception}: a full disk, damage, and, after
 * {@link #close()}, {@code StoreClosedException} from every call.
 *
 * @since 0.1
 */
public interface Engine extends AutoCloseable {

    /** Stands for data without parts: any requests share commits, and several of these may be under way. */
    int ANY_PART = -1;

    /** Stands for several parts of the data. */
    int SEVERAL_PARTS = -2;

    /**
     * Describes the engine.
     *
     * @return the engine's name and place
     */
    EngineInfo info();

    /**
     * Returns the time by which entries expire. An engine on data of several processes may return an
     * estimate of it, which never runs backwards and is never behind a time that a read or a commit of this engine was judged by.
     *
     * @return the store's time
     */
    StoreClock clock();

    /**
     * Returns the reads of committed rows. An engine that one process owns judges rows by the time that it is asked for: the store
     * passes a time of {@link #clock} by which no commit in progress renews what has expired. An engine on data of several
     * processes judges them by the time of its database, so that a read and its judgement take one round trip. It is asked for
     * {@link Reads#NOW}, and the store then uses {@link #clock} only for schedules, for ages and to leave out rows that have
     * expired since they were read.
     *
     * @return always the same object, for any thread
     */
    Reads reads();

    /**
     * Returns a time that the engine's present time has not passed. A cached row is live if it does not expire before that time and
     * no change of it was reported: all changes that were committed more than a moment ago have been reported ({@link
     * RemoteChanges}).
     *
     * @return milliseconds since the epoch; {@link Long#MAX_VALUE} if the changes of the last moments have not been reported, so
     *     that no kept row counts
     */
    default long latestNow() {
        return Long.MAX_VALUE;
    }

    /**
     * Tests whether the reports of changes have come to the commit that wrote a row. Only then is it reported, too, if that commit is
     * lost, as after a restore of the database. So a row must not be kept before.
     *
     * @param row a row that was read
     * @return true if a loss of the row would be reported
     */
    default boolean hasFollowed(Row row) {
        return true;
    }

    /**
     * Takes a snapshot for a transaction that decides while it runs. Used by the one thread that may call {@link #apply}. After a
     * conflict an engine may hold a lock until the next snapshot is closed, so that conflicts end.
     *
     * @return the snapshot, to be closed by the caller
     */
    EngineSnapshot snapshot();

    /**
     * Returns the application's own transactions in which the store takes part.
     *
     * @return always the same object; empty if the store commits all that it writes by itself
     */
    default Optional<JoinableTransactions> joinableTransactions() {
        return Optional.empty();
    }

    /**
     * Counts all rows, and returns how much room they take and what is known of other processes. The cost grows with the number of
     * rows.
     *
     * @param now the time at which rows are live
     * @return the figures
     */
    EngineStats stats(long now);

    /**
     * Returns when an entry may expire next, whichever process has written it.
     *
     * @return a time before which no stored entry expires, in milliseconds since the epoch; {@link Row#NEVER} if none
     *     expires
     */
    default long nextDue() {
        ExpiryWalk walk = reads().expiring(new ExpiryScan(GroupRange.ALL, Long.MIN_VALUE, Row.NEVER, Wanted.ALL, 1));
        while (walk.hasMore()) {
            for (ExpiryRow row : walk.next()) {
                return row.expiresAt();
            }
        }
        return Row.NEVER;
    }

    /**
     * Tests whether many entries are due: they have expired, or were renewed and still have their earlier place in the expiry
     * index, from which a purge moves them. Costs no more than so many steps in the index of an engine that one process owns.
     *
     * @param now the time by which they are due
     * @param rows how many
     * @return whether there are so many
     */
    default boolean areDue(long now, int rows) {
        ExpiryWalk walk = reads().expiring(ExpiryScan.expired(GroupRange.ALL, now, rows));
        int due = 0;
        while (due < rows && walk.hasMore()) {
            due += walk.next().size();
        }
        return due >= rows;
    }

    /**
     * Returns the committed subscribers, their deliveries, and the claims of this node on these.
     *
     * @return always the same object
     */
    Deliveries deliveries();

    /**
     * Reports what other processes commit from now on. Called once, before {@link #apply}. An engine that one process owns does nothing.
     *
     * @param others receives their commits
     */
    default void start(RemoteChanges others) {}

    /**
     * Commits a batch, and tells an observer so. If there was no room and the engine could make some, the batch runs again, with
     * nothing of the first run. What removes or shrinks rows always gets room.
     *
     * <p>After {@link CommitObserver#committed} this throws nothing but an {@code Error}.
     *
     * @param batch what to do
     * @param observer follows this commit
     * @throws ConflictException if others have changed what the batch was decided by, or if a row that it keeps alive has expired since it was
     *     read, because others may have seen that; nothing was committed, and the store decides again. An engine makes sure that this ends, for
     *     instance by taking a lock after a conflict
     * @throws LargeLoadException if the rows of several requests take too much memory together; nothing was committed
     * @throws dev.ttlstore.exception.OutcomeUnknownException if it is not known whether the commit was made; the store does not try again
     */
    void apply(Batch batch, CommitObserver observer);

    /**
     * Returns how many commits of requests are worth being under way at the same time now. Asked before each of them.
     *
     * @return the number; the store makes no more than {@link EngineInfo#commits}
     */
    default int worthwhileCommits() {
        return info().commits();
    }

    /**
     * Returns the part of the data that has all rows of a request, if each part commits by itself, as on several servers. Requests of one
     * part share commits, which follow each other; those of several parts are committed at the same time.
     *
     * @param request the request
     * @return the number of the part, {@link #ANY_PART} if there are no parts, or {@link #SEVERAL_PARTS}: the request gets a commit of its own
     */
    default int part(Request request) {
        return ANY_PART;
    }

    /**
     * Lists the backups of the data in a folder.
     *
     * @param folder the folder, which may be missing
     * @return those that cannot be read, and then the others, the oldest first
     * @throws UnsupportedOperationException if the data are not in a file
     */
    default List<Path> backups(Path folder) {
        throw new UnsupportedOperationException(
                "A store on " + info().name() + " makes no backups; use those of the database");
    }

    /**
     * Writes a consistent copy of the data as of now to a file, while others read and write.
     *
     * @param target the file, which must not exist
     * @param listener follows the backup; what it throws ends it, and is thrown
     * @return the size of the file, in bytes
     * @throws UnsupportedOperationException if the data are not in a file
     */
    default long backup(Path target, BackupListener listener) {
        throw new UnsupportedOperationException(
                "A store on " + info().name() + " makes no backups; use those of the database");
    }

    /**
     * Verifies all data as of one moment, while others read and write.
     *
     * @param listener follows the verification; what it throws ends it, and is thrown
     * @return what was found
     * @throws UnsupportedOperationException if the engine cannot do that
     */
    default VerificationReport verify(Consumer<? super VerificationProgress> listener) {
        throw new UnsupportedOperationException(
                "A store on " + info().name() + " cannot be verified; use the tools of the database");
    }

    /**
     * Waits until the engine's background work has caught up with its commits; not for long, and not after an
     * interrupt. Long work calls this between its commits, because the next writer pays for background work that has
     * piled up.
     */
    default void settle() {}

    /**
     * Checks that the stored data can still be reached, and that background work keeps up with the commits. Throws a
     * {@code StoreException} if not.
     */
    void check();

    /** Lets running calls finish and releases everything that was opened. Closing again does nothing. */
    @Override
    void close();

    /**
     * Closes as {@link #close()} does, but does not wait much longer than a limit for what may never end: a server
     * that does not answer, or a listener of a backup.
     *
     * @param timeout the limit
     */
    default void close(Duration timeout) {
        close();
    }
}
