package dev.ttlstore.sqlite;

import java.nio.file.Path;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineProvider;

/**
 * Makes SQLite the embedded engine.
 *
 * @since 0.1
 * @see Sqlite
 */
public final class SqliteEngineProvider implements EngineProvider {

    /** Creates the provider; called by {@link java.util.ServiceLoader}. */
    public SqliteEngineProvider() {}

    @Override
    public EngineFactory file(Path path) {
        return Sqlite.file(path);
    }

    @Override
    public EngineFactory inMemory() {
        return Sqlite.inMemory();
    }
}
