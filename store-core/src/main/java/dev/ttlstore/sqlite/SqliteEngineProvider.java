package dev.ttlstore.sqlite;

import java.nio.file.Path;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineProvider;
import dev.ttlstore.engine.EngineSettings;

/** Opens the embedded engine. */
public final class SqliteEngineProvider implements EngineProvider {

    /** Creates the provider; called by {@link java.util.ServiceLoader}. */
    public SqliteEngineProvider() {}

    @Override
    public boolean supports(EngineSettings settings) {
        return true;
    }

    @Override
    public Engine open(EngineSettings settings) {
        NativeLibrary.load();
        Path path = settings.path();
        return path == null ? SqliteEngine.inMemory(settings) : SqliteEngine.open(path, settings);
    }
}
