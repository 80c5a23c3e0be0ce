package dev.ttlstore.sqlite;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.CopyContract;
import dev.ttlstore.engine.EngineFactory;

/** Copies a store from one file to another. */
class FileCopyTests extends CopyContract {

    @TempDir
    Path folder;

    @Override
    protected EngineFactory source() {
        return Sqlite.file(folder.resolve("source.db"));
    }

    @Override
    protected EngineFactory target() {
        return Sqlite.file(folder.resolve("target.db"));
    }

    @Override
    protected EngineFactory other() {
        return Sqlite.file(folder.resolve("other.db"));
    }
}
