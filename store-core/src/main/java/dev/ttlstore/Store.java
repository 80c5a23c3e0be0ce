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
     * Returns the part of the store that belongs to a namespace. A quota that was set for the namespace applies.
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
     * Closes all watches, and each later one as it opens. An application that stops calls this before it waits for the
     * readers of watches. Buffered signals can still be read as after {@link dev.ttlstore.event.Watch#close}, and
     * everything else works until the store is closed. Does nothing if it was called before, or if the store is closed.
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
    <V> Subscription onExpiredMatching(String subscriber, GroupPattern groups, Class<V> type, ExpiryHandler<V> handler);

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
     * Returns counts of what the store has done since it was opened. Unlike {@link #stats}, it costs next to nothing.
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
     * @return where it is
     */
    default BackupResult backup(Path target) {
        return backup(target, progress -> {});
    }

    /**
     * Writes everything that the store has at this moment to a file, while others read and write: one consistent copy, with expired
     * entries that are not purged yet, retained ones, subscribers and deliveries. When it returns, the file is complete and on the disk;
     * before that, there is none of this name. Encrypted values stay so, and the keys are not part of it. Missing folders are created.
     * Only the owner can read the file.
     *
     * <p>To restore it, give the store the path of a copy of it, or see {@link dev.ttlstore.sqlite.Sqlite#restoreFrom}. No version is
     * reused then, however much was written after the backup.
     *
     * <p>An interrupt of the thread ends the backup. The write-ahead log grows while it runs.
     *
     * @param target the file to create, which must not exist
     * @param listener receives the progress, some times per second, in this thread; what it throws ends the backup, and is thrown
     * @return where it is
     * @throws StorePathException if there is such a file, or none can be written there
     * @throws StoreFullException if the disk is full
     * @throws StoreInterruptedException if the thread was interrupted; it stays so
     * @throws UnsupportedOperationException if the store is in memory, or on a database, which has backups of its own
     */
    BackupResult backup(Path target, Consumer<? super BackupProgress> listener);

    /**
     * Lists the backups of this store in a folder, in the order in which they were made: files whose names begin with that of the store's
     * file and a full stop, and end with {@code .backup}. The order comes from their contents, so one that a wrong clock has named a year
     * ahead has its place. Opens each of them for a moment.
     *
     * @param folder the folder; if it is missing, there are none
     * @return their paths: those that cannot be read, in the order of names, and then the others, the oldest first
     * @throws StorePathException if the folder cannot be read
     * @throws UnsupportedOperationException if the store is in memory, or on a database, which has backups of its own
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
     * @return what was found
     */
    default VerificationReport verify() {
        return verify(progress -> {});
    }

    /**
     * Verifies everything that the store has at this moment, while others read and write: the structure of the file, indexes against
     * rows, names, times and versions, the usage of namespaces with a quota, deliveries and their subscribers. It reads everything, so
     * it takes as long as that, unlike {@link #check}. It changes nothing. Values are not decoded: bytes that have changed within one
     * are not found. A file that cannot be opened as a store is verified by {@link dev.ttlstore.sqlite.Sqlite#verify}.
     *
     * <p>An interrupt of the thread ends the verification. The write-ahead log of a file grows while it runs. On PostgreSQL it is one
     * long transaction, which keeps the server from removing old rows meanwhile. A store in memory waits for it, and
     * reports its progress at the end only.
     *
     * @param listener receives the progress, some times per second, in this thread; what it throws ends the verification, and is thrown
     * @return what was found, without values
     * @throws StoreInterruptedException if the thread was interrupted; it stays so
     * @throws StoreException if the store cannot be read for a reason other than damage
     */
    VerificationReport verify(Consumer<? super VerificationProgress> listener);

    /**
     * Checks the store: reads and writes it once, which leaves nothing behind, and checks that its own threads are running, that their
     * work does not fail again and again, and that no out-of-memory error has left a lock taken. Starts a thread that could not be started
     * before. It fails if the clock has stepped back by more than a day, so that
     * the store's time stands still. A clock that has leapt ahead is no failure, because nobody knows yet whether it is wrong now or was
     * wrong before; {@link StoreStats#clockLead} tells it.
     *
     * @throws StoreException if the store cannot be used or does not do its background work, with the reason
     */
    void check();

    /**
     * Closes the store: lets running calls finish, and releases the file. Waits for running listeners, transactions
     * and expiry handlers, for at most {@link StoreBuilder#closeTimeout}. Another call does nothing; in another
     * thread, it waits until the store is closed, for at most the same time.
     */
    @Override
    void close();
}
