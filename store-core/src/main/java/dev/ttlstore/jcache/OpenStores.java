package dev.ttlstore.jcache;

import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Store;

/**
 * The stores that managers of this process have opened by their URI. A file has one owner, but managers of several class
 * loaders may have the same URI, so they share its store. The last one closes it.
 */
final class OpenStores {

    private static final Map<Location, Shared> STORES = new HashMap<>();

    private OpenStores() {}

    /** Opens the store at a location, unless it is open already. */
    static Lease lease(Location location) {
        synchronized (STORES) {
            Shared shared = STORES.computeIfAbsent(location, at -> new Shared(at.open()));
            shared.leases++;
            return new Lease(shared.store, () -> giveBack(location));
        }
    }

    private static void giveBack(Location location) {
        synchronized (STORES) {
            Shared shared = STORES.get(location);
            if (shared == null || --shared.leases > 0) {
                return;
            }
            STORES.remove(location);
            // Within the lock, because the next lease cannot open the file before it is closed.
            shared.store.close();
        }
    }

    private static final class Shared {

        private final Store store;
        private int leases;

        private Shared(Store store) {
            this.store = store;
        }
    }

    /**
     * A store that a manager uses until it gives it back, once.
     *
     * @param store the store
     * @param giveBack gives it back
     */
    record Lease(Store store, Runnable giveBack) {}

    /**
     * Where the store of a manager is, as the manager's URI says.
     *
     * @param file the absolute path of the file; null for a store in memory
     */
    record Location(@Nullable Path file) {

        static final String MEMORY = "ttl-store:memory";

        /**
         * Returns the location that a URI names.
         *
         * @throws IllegalArgumentException if it names none
         */
        static Location of(URI uri) {
            if (uri.toString().equals(MEMORY)) {
                return new Location(null);
            }
            if (!"file".equalsIgnoreCase(uri.getScheme())) {
                throw invalid(uri, null);
            }
            try {
                // 'file:caches.db' has no path for URI, but users mean the working directory.
                Path path = uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri);
                return new Location(path.toAbsolutePath().normalize());
            } catch (IllegalArgumentException | FileSystemNotFoundException e) {
                throw invalid(uri, e);
            }
        }

        private static IllegalArgumentException invalid(URI uri, @Nullable Exception cause) {
            return new IllegalArgumentException(
                    "'uri' must name the file of a store, such as 'file:///var/lib/app/caches.db' or 'file:caches.db' in the"
                            + " working directory, or be '" + MEMORY + "', but is '" + uri
                            + "'; for an open store, such as one in PostgreSQL, use JCache.of(store)",
                    cause);
        }

        Store open() {
            return file == null ? Store.inMemory() : Store.open(file);
        }
    }
}
