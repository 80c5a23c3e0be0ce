package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A test finds no table of an earlier one in the schema that it gets. */
class ReadySchemasTests {

    @Test
    void onlyASchemaWithTheTablesOfAStoreIsUsedAgain() throws Exception {
        String schema = TestServer.freshSchema();
        try (Nodes nodes = new Nodes(schema)) {
            Store store = nodes.open();
            store.group("group").put("key", "value");
            store.close();
            assertThat(ReadySchemas.isEmptied(schema)).isTrue();
            TestServer.commitUnderLock(schema, "CREATE TABLE @orders (id bigint)");
            assertThat(ReadySchemas.isEmptied(schema)).isFalse();
        }
    }
}
