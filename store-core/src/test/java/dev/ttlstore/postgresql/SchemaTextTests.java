package dev.ttlstore.postgresql;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The statements that create the tables, whatever the schema is called. */
class SchemaTextTests {

    private static final String SCRIPT = """
            -- To use another schema, replace "ttl_store" throughout.
            CREATE SCHEMA IF NOT EXISTS ttl_store;
            CREATE TABLE ttl_store.entry (
                slot integer);
            --citus SELECT create_distributed_table('ttl_store.entry', 'slot', colocate_with => 'ttl_store.slot');
            -- GRANT USAGE ON SCHEMA ttl_store TO the_role;
            """;

    private static List<String> lines(String schema, boolean distributed) {
        return SchemaScript.statements(SCRIPT, schema, distributed)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ttl_store", "Upper", "my_ttl_store_2", "a b"})
    void theNameIsPutInOnce(String name) {
        assertThat(lines(name, true))
                .containsExactly(
                        "CREATE SCHEMA IF NOT EXISTS \"" + name + "\";",
                        "CREATE TABLE \"" + name + "\".entry (",
                        "    slot integer);",
                        "SELECT create_distributed_table('\"" + name + "\".entry', 'slot', colocate_with => '\"" + name
                                + "\".slot');");
    }

    @Test
    void aQuotationMarkIsDoubledAndAnApostropheInTextsToo() {
        assertThat(lines("it's \"mine\"", true))
                .contains("CREATE SCHEMA IF NOT EXISTS \"it's \"\"mine\"\"\";")
                .last()
                .asString()
                .startsWith("SELECT create_distributed_table('\"it''s \"\"mine\"\"\".entry'");
    }

    @Test
    void theLinesForCitusAreCommentsElsewhere() {
        assertThat(lines("ttl_store", false)).hasSize(3).noneMatch(line -> line.contains("distributed"));
    }

    /** It would end a comment. Within quotation marks it is part of the name. */
    @Test
    void aLineBreakInANameStartsNoStatement() {
        String statements = SchemaScript.statements(SCRIPT, "t\nDROP TABLE victim;--", false);
        assertThat(statements)
                .doesNotContain("replace", "GRANT")
                .contains("SCHEMA IF NOT EXISTS \"t\nDROP TABLE victim;--\";");
    }
}
