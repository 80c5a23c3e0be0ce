package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;

import dev.ttlstore.Store;

/** A schema of a test's own, whose tables the test makes and changes. */
abstract class OwnSchema {

    final String schema = TestServer.freshSchema();

    @AfterEach
    void dropSchema() {
        TestServer.drop(schema);
    }

    final Store open(boolean initialize) {
        return open(TestServer.pool(), schema, initialize);
    }

    static Store open(DataSource source, String name, boolean initialize) {
        return Store.builder()
                .engine(PostgreSql.on(source)
                        .schema(name)
                        .initializeSchema(initialize)
                        .decisionNanos(1))
                .open();
    }

    static String file() throws IOException {
        try (InputStream in = PostgreSql.class.getResourceAsStream("schema.sql")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static void execute(String... all) throws SQLException {
        Statements.run(TestServer.admin(), all);
    }
}
