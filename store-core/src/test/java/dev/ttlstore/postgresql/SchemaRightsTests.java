package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.SQLException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Roles that may do all that a store needs, or less. */
@Tag("postgresql")
class SchemaRightsTests extends OwnSchema {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT on log",
                "DELETE on log",
                "INSERT on entry",
                "UPDATE on delivery",
                "DELETE on usage",
                "SELECT on layout",
                "UPDATE on slot"
            })
    void aMissingRightIsNamed(String right) throws SQLException {
        open(true).close();
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret'");
        execute("GRANT USAGE ON SCHEMA \"" + schema + "\" TO \"" + schema + "\"");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema + "\" TO \"" + schema
                + "\"");
        String[] words = right.split(" ", -1);
        execute("REVOKE " + words[0] + " ON \"" + schema + "\"." + words[2] + " FROM \"" + schema + "\"");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try {
            assertThatThrownBy(() -> open(source, schema, false))
                    .isInstanceOf(StoreSchemaException.class)
                    .hasMessageContaining("missing: right " + right)
                    .hasMessageContaining("grant");
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void aRoleThatMayOnlyReadAndWriteWorksInTablesOfAnAdministrator() throws SQLException, IOException {
        execute(file().replace("ttl_store", schema));
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEDB NOCREATEROLE");
        execute("GRANT USAGE ON SCHEMA \"" + schema + "\" TO \"" + schema + "\"");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema + "\" TO \"" + schema
                + "\"");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try (Store store = open(source, schema, false)) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void aMissingRightIsExplained() throws SQLException {
        open(true).close();
        assertThat(refusalOfARoleWithoutRights())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("rant");
    }

    @Test
    void aRoleThatMayNotCreateTheSchemaIsToldSo() throws SQLException {
        assertThat(refusalOfARoleWithoutRights())
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("may not create")
                .hasMessageContaining("CREATE on the database");
    }

    private Throwable refusalOfARoleWithoutRights() throws SQLException {
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret'");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try {
            return catchThrowable(() -> open(source, schema, true));
        } finally {
            execute("DROP ROLE \"" + schema + "\"");
        }
    }
}
