package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import dev.ttlstore.exception.StoreException;

/** The scripts that create the tables and the functions, for any schema. */
final class SchemaScript {

    /** Creates the tables. */
    static final String TABLES = "schema.sql";

    /** Creates the functions. */
    static final String FUNCTIONS = "functions.sql";

    private static final String CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS ttl_store;";

    /** Begins a statement of the resource that is for a database with Citus. */
    private static final String FOR_CITUS = "--citus ";

    /** What the script calls the schema. */
    private static final String PLACEHOLDER = "ttl_store";

    private SchemaScript() {}

    /** Reads a script. */
    static String read(String resource) {
        try (InputStream in = SchemaScript.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new StoreException(
                        "The jar of the store has no " + resource, "Use the jar as it was published", null);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a script without the statement that creates the schema. */
    static String withoutSchema(String script) {
        return script.replace(CREATE_SCHEMA, "");
    }

    /**
     * Returns the statements of a script for a schema. Each line gets the name once, and comments are left out, so that nothing of a
     * name is replaced or becomes a statement.
     *
     * @param script the script, in which each comment has lines of its own
     * @param schema the name of the schema
     * @param distributed whether the lines for Citus, which name the tables in texts, are statements
     */
    static String statements(String script, String schema, boolean distributed) {
        String quoted = Sql.quoted(schema);
        String inText = quoted.replace("'", "''");
        StringBuilder statements = new StringBuilder();
        script.lines().forEach(line -> {
            if (distributed && line.startsWith(FOR_CITUS)) {
                statements.append(line.substring(FOR_CITUS.length()).replace(PLACEHOLDER, inText));
            } else if (!line.startsWith("--")) {
                statements.append(line.replace(PLACEHOLDER, quoted));
            }
            statements.append('\n');
        });
        return statements.toString();
    }
}
