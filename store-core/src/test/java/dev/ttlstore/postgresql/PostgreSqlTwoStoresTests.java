package dev.ttlstore.postgresql;

import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.TwoStoresContract;

/** Two stores on one PostgreSQL schema, as in two processes; one dies by losing its connections. */
@Tag("postgresql")
class PostgreSqlTwoStoresTests extends TwoStoresContract {

    private final String schema = ReadySchemas.take();
    private final Map<Node, MortalDataSource> sources = new EnumMap<>(Node.class);

    @Override
    protected StoreBuilder builder(Node node) {
        return Store.builder().engine(PostgreSql.on(source(node)).schema(schema));
    }

    @Override
    protected void kill(Node node) {
        source(node).kill();
    }

    private MortalDataSource source(Node node) {
        return sources.computeIfAbsent(node, any -> new MortalDataSource(TestServer.pool()));
    }

    @AfterEach
    void dropSchema() {
        ReadySchemas.giveBack(schema);
    }
}
