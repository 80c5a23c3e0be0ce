package dev.ttlstore;

import java.nio.file.Path;

import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;

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
 * <p>A store is thread-safe and meant to be shared: open one for a file and close it at the end. The file belongs to one
 * process at a time.
 *
 * <p>After {@link #close()} every method throws {@link StoreClosedException}.
 */
public interface Store extends Keyspace, AutoCloseable {

    /**
     * Opens a store in a file, with the default settings of {@link StoreBuilder}. A file that does not exist is created,
     * with the folders above it.
     *
     * @param path the file
     * @return the store
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is no store
     * @throws StoreException if the file cannot be opened for another reason
     */
    static Store open(Path path) {
        return builder().path(path).open();
    }

    /**
     * Opens a store in memory, which is lost when it is closed: for tests, and for what need not last.
     *
     * @return the store
     */
    static Store inMemory() {
        return builder().inMemory().open();
    }

    /**
     * Begins to set up a store.
     *
     * @return a builder
     */
    static StoreBuilder builder() {
        return new StoreBuilder();
    }

    /**
     * Has a listener told of every change from now on.
     *
     * @param listener whom to tell
     * @return the subscription, to end it with
     */
    Subscription onChange(StoreListener listener);

    /**
     * Removes the rows of all entries that have expired by now, the oldest expiry first, in small commits between which
     * other writers get in. What it costs depends on what it removes, not on what the store holds. Nothing that can be seen
     * changes by it; the store does so by itself, too, at its purge interval.
     *
     * <p>When the calling thread is interrupted, the purge ends early and the thread's interrupt status stays set.
     *
     * @return how many rows were removed
     */
    long purgeExpired();

    /**
     * Looks at the store. The cost grows with the number of entries.
     *
     * @return what there is to see
     */
    StoreStats stats();

    /**
     * Reads and writes the store once, leaving nothing behind.
     *
     * @throws StoreException if the store cannot be used, with the reason
     */
    void check();

    /**
     * Closes the store: lets running calls finish, then gives back the file. Closing again does nothing.
     */
    @Override
    void close();
}
