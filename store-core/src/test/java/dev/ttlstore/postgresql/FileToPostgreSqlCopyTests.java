package dev.ttlstore.postgresql;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.CopyContract;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.sqlite.Sqlite;

/** Copies a store from a file to PostgreSQL. */
@Tag("postgresql")
@Tag("variant") // copies between files and between schemas show what each engine does at both ends
class FileToPostgreSqlCopyTests extends CopyContract {

    @TempDir
    Path folder;

    private final String target = TestServer.freshSchema();

    @Override
    protected EngineFactory source() {
        return Sqlite.file(folder.resolve("source.db"));
    }

    @Override
    protected EngineFactory target() {
        return PostgreSql.on(TestServer.pool()).schema(target);
    }

    @Override
    protected EngineFactory other() {
        return Sqlite.file(folder.resolve("other.db"));
    }

    @AfterEach
    void dropSchemas() {
        TestServer.drop(target);
    }
}
