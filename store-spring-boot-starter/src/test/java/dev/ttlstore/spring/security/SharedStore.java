package dev.ttlstore.spring.security;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;

/** Opens stores of several instances, on the tests' database. */
final class SharedStore {

    private SharedStore() {}

    static Store open(String schema) {
        return Store.builder()
                .engine(PostgreSql.on(TestDatabase.dataSource()).schema(schema))
                .open();
    }
}
