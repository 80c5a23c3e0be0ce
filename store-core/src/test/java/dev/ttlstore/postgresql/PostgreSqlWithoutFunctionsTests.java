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
        for (String function : ServerFunctionTests.FUNCTIONS) {
            Statements.run(TestServer.pool(), "DROP FUNCTION IF EXISTS \"" + schema + "\"." + function);
        }
    }

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(PostgreSql.on(source).schema(schema).initializeSchema(false));
    }
}
