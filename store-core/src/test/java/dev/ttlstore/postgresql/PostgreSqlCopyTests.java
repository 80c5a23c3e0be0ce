package dev.ttlstore.postgresql;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.contract.CopyContract;
import dev.ttlstore.engine.EngineFactory;

/** Copies a store from one schema to another. */
@Tag("postgresql")
class PostgreSqlCopyTests extends CopyContract {

    private final String source = TestServer.freshSchema();
    private final String target = TestServer.freshSchema();
    private final String other = TestServer.freshSchema();

    @Override
    protected EngineFactory source() {
        return PostgreSql.on(TestServer.pool()).schema(source);
    }

    @Override
    protected EngineFactory target() {
        return PostgreSql.on(TestServer.pool()).schema(target);
    }

    @Override
    protected EngineFactory other() {
        return PostgreSql.on(TestServer.pool()).schema(other);
    }

    @AfterEach
    void dropSchemas() {
        TestServer.drop(source);
        TestServer.drop(target);
        TestServer.drop(other);
    }
}
