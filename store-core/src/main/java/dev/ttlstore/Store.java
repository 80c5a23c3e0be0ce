package dev.ttlstore;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.exception.StorePathException;
import dev.ttlstore.expiry.ExpiryHandler;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/**
 * A durable key-value store whose entries expire.
 *
 * <pre>{@code
 * try (Store store = Store.open(Path.of("app.db"))) {
 *     TextGroup config = store.group("config");
 *     config.put("theme", "dark");
 *     config.put("banner", "hello", Duration.ofMinutes(10));
 *     Optional<String> banner = config.get("banner");
 * }
 * }</pre>
 *
 * <p>A store is thread-safe and meant to be shared: open one per file, and close it at the end. One process at a time
 * owns the file.
 *
 * <p>After {@link #close()}, every method throws {@link StoreClosedException}. If a store is never closed and becomes
 * unreachable, together with its groups, scopes, open watches and subscriptions, the garbage collector closes it and
 * logs a warning.
 *
 * @since 0.1
 * @see StoreBuilder
 * @see Group
 * @see Scope
 * @see LiveKeyspace#transact
 * @see dev.ttlstore.sqlite.Sqlite
 * @see dev.ttlstore.postgresql.PostgreSql
 */
public interface Store extends LiveKeyspace, AutoCloseable {

    /**
     * Opens a store in a file, with the default settings of {@link StoreBuilder}. Creates the file and missing folders
     * above it.
     *
     * @param path the file
     * @return the store
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is not a store
     * @throws StoreException if the file cannot be opened for another reason
     */
    static Store open(Path path) {
        return builder().path(path).open();
    }

    /**
     * Opens a store in memory, for tests and data that need not last. Its data is lost when it is closed.
     *
     * @return the store
     */
    static Store inMemory() {
        return builder().inMemory().open();
    }

    /**
     * Returns a builder to configure a store with.
     *
     * @return the builder
     */
    static StoreBuilder builder() {
        return new StoreBuilder();
    }

    /**
     * Returns the part of the store that belongs to a namespace. The quota of the namespace applies, if one was set.
     *
     * @param namespace the namespace: letters {@code a} to {@code z} in either case, digits and hyphens; case counts
     * @return the scope
     * @throws IllegalArgumentException if the namespace is empty, has more than 1,022 characters, or has others
     */
    Scope scope(String namespace);

    /**
     * Sets the quota of a namespace, and returns the part of the store that belongs to it. The quota applies to every
     * later write to the namespace, through any scope or the store, until another quota is set. It is not stored with
     * the data.
     *
     * @param namespace the namespace, as in {@link #scope(String)}
     * @param quota the limits
     * @return the scope
     * @throws IllegalArgumentException if the namespace is not valid
     */
    Scope scope(String namespace, Quota quota);

    /**
     * Closes all watches, and every watch that is opened later. Call it when the application stops, before you wait for
     * the readers of watches. Readers still get the buffered signals, as after {@link dev.ttlstore.event.Watch#close}.
     * Everything else works until the store is closed. A second call, and a call on a closed store, do nothing.
     */
    void closeWatches();

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, such as
     * {@code *:secrets} for the group {@code secrets} of every scope. Everything else is as in
     * {@link ExpiryEvents#onExpired(String, String, Class, ExpiryHandler)}. Only the expiries of matching groups are
     * recorded. {@code ExpiredEntry.group()} is the full name, so it has the namespace of the scope.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param groups the groups
     * @param type the class of the values; {@code Void.class} for entries without their values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    default <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, Class<V> type, ExpiryHandler<V> handler) {
        return onExpiredMatching(subscriber, groups, TypeRef.ofClass(type), handler);
    }

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, as
     * {@link #onExpiredMatching(String, GroupPattern, Class, ExpiryHandler)} does, with values of a generic type.
     *
     * @param subscriber the name of the subscriber
     * @param groups the groups
     * @param type the type of the values, as in {@link #group(String, TypeRef)}
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the type
     */
    <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, TypeRef<V> type, ExpiryHandler<V> handler);

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, as
     * {@link #onExpiredMatching(String, GroupPattern, Class, ExpiryHandler)} does.
     *
     * @param subscriber the name of the subscriber
     * @param groups the groups
     * @param codec decodes the values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     */
    <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * Returns the path of the store's file.
     *
     * @return the absolute path; null if the store is in memory
     */
    @Nullable
    Path path();

    /**
     * Returns figures about the stored data. The cost grows with the number of entries.
     *
     * @return the figures
     */
    StoreStats stats();

    /**
     * Returns counts of the store's work since it was opened. Unlike {@link #stats}, it is cheap.
     *
     * @return the counts
     */
    StoreActivity activity();

    /**
     * Registers an observer that measures the store's later work.
     *
     * @param observer the observer
     * @return the subscription; close it to stop the calls
     */
    Subscription observe(StoreObserver observer);

    /**
     * Makes a backup, as {@link #backup(Path, Consumer)} does.
     *
     * @param target the file to create
     * @return the path and size of the backup
     */
    default BackupResult backup(Path target) {
        return backup(target, progress -> {});
    }

    /**
     * Writes a consistent snapshot of the store to a file, while others read and write. The snapshot includes expired
     * entries that no purge has deleted, retained entries, subscribers and deliveries. The file gets its name when it
     * is complete and on the disk. Encrypted values stay encrypted, and the cipher's keys are not in the file. Creates
     * missing folders. Only the owner can read the file.
     *
     * <p>To restore a backup, open a copy of the file, or use {@link dev.ttlstore.sqlite.Sqlite#restoreFrom}. The
     * restored store never reuses a version, even if many writes followed the backup.
     *
     * <p>An interrupt of the thread ends the backup. The write-ahead log grows while the backup runs.
     *
     * @param target the file to create, which must not exist
     * @param listener receives the progress a few times per second, in the calling thread; if it throws, the backup
     *     ends and the caller gets the exception
     * @return the path and size of the backup
     * @throws StorePathException if the file exists or cannot be created
     * @throws StoreFullException if the disk is full
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     * @throws UnsupportedOperationException if the store is in memory, or in a database, which has its own backups
     */
    BackupResult backup(Path target, Consumer<? super BackupProgress> listener);

    /**
     * Lists the backups of this store in a folder, the oldest first. The name of a backup begins with the name of the
     * store's file and a full stop, and ends with {@code .backup}. The contents decide the order, so a wrong clock that
     * has put a later date into a name does no harm. Opens each file for a moment.
     *
     * @param folder the folder; a missing folder has no backups
     * @return the paths: first the unreadable backups by name, then the others, the oldest first
     * @throws StorePathException if the folder cannot be read
     * @throws UnsupportedOperationException if the store is in memory, or in a database, which has its own backups
     */
    List<Path> backups(Path folder);

    /**
     * Returns the entries of all groups as they are stored, for tools that move them.
     *
     * @return a view of the store
     */
    StoredEntries stored();

    /**
     * Verifies the store, as {@link #verify(Consumer)} does.
     *
     * @return the findings
     */
    default VerificationReport verify() {
        return verify(progress -> {});
    }

    /**
     * Verifies a snapshot of the store, while others read and write. It compares indexes with rows, and checks the
     * structure of the file, names, times, versions, the usage of namespaces with a quota, deliveries and their
     * subscribers. It reads all data, so it takes longer than {@link #check}. It changes nothing. It does not decode
     * values, so it does not find bytes that have changed within a value. For a file that no longer opens, use {@link
     * dev.ttlstore.sqlite.Sqlite#verify}.
     *
     * <p>An interrupt of the thread ends the verification. The write-ahead log of a file grows meanwhile. On PostgreSQL
     * the verification is one long transaction, and the server cannot remove old rows until it ends. A store in memory
     * waits for the verification, and reports its progress only at the end.
     *
     * @param listener receives the progress a few times per second, in the calling thread; if it throws, the
     *     verification ends and the caller gets the exception
     * @return the findings, without values
     * @throws StoreInterruptedException if the thread is interrupted; its interrupt status stays set
     * @throws StoreException if the store cannot be read for a reason other than damage
     */
    VerificationReport verify(Consumer<? super VerificationProgress> listener);

    /**
     * Checks that the store works. Reads and writes once, which leaves no data behind. Checks that the store's threads
     * run, that their work does not keep failing, and that no out-of-memory error has left a lock taken. Starts threads
     * that could not be started before. The check fails if the clock has stepped back by more than a day, because the
     * store's time then stands still. It does not fail if the clock has leapt ahead, because it cannot know which time
     * was wrong; {@link StoreStats#clockLead} reports the leap. On PostgreSQL, it also fails while functions of the store
     * that it had are missing or changed.
     *
     * @throws StoreException if the store cannot be used or does not do its background work, with the reason
     */
    void check();

    /**
     * Closes the store: lets running calls finish, and releases the file. Waits for running listeners, transactions and
     * expiry handlers, for at most {@link StoreBuilder#closeTimeout}; for handlers at most ten seconds of it. A second
     * call does nothing. A call from another thread waits until the store is closed, for at most the same time.
     */
    @Override
    void close();
}
