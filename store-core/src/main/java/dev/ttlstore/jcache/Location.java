package dev.ttlstore.jcache;

import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Store;

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
