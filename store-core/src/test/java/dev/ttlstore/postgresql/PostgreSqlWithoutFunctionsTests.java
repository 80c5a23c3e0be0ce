package dev.ttlstore.postgresql;

import java.sql.SQLException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.ContractPart;

/** The promises on a server without the functions for commits, so that each node decides under locks. */
@Tag("variant")
@ContractPart(ContractPart.Tests.PROMISES)
class PostgreSqlWithoutFunctionsTests extends PostgreSqlStoreTests {

    @BeforeEach
    void dropFunctions() throws SQLException {
        Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .open()
                .close();
        // As an administrator does who creates nothing by the store.
        Statements.run(
                TestServer.pool(),
                "CREATE INDEX IF NOT EXISTS entry_age ON \"" + schema + "\".entry (slot, grp, created_at, key)");
        for (String function : ServerFunctionTests.FUNCTIONS) {
            Statements.run(TestServer.pool(), "DROP FUNCTION IF EXISTS \"" + schema + "\"." + function);
        }
    }

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(PostgreSql.on(source).schema(schema).initializeSchema(false));
    }
}
