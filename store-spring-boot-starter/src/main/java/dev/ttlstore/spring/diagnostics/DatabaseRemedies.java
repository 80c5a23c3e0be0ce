package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.NewerSchemaException;
import dev.ttlstore.exception.OtherDatabaseException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.exception.StoreUnavailableException;

/** What to do if a store cannot be opened in the application's database, in terms of properties. */
final class DatabaseRemedies {

    private static final String SCHEMA = " The property 'store.postgresql.schema' sets the schema.";

    private DatabaseRemedies() {}

    /** Returns the remedy, or null if the exception is about something else or names the remedy itself. */
    static @Nullable String of(StoreException cause) {
        if (cause instanceof NewerSchemaException) {
            return "Run that version or a later one, or use another schema." + SCHEMA;
        }
        if (cause instanceof StoreSchemaException) {
            return "If the role of the DataSource may create the schema, set 'store.postgresql.initialize-schema=always'."
                    + " Otherwise apply dev/ttlstore/postgresql/schema.sql from the jar of store-core as an"
                    + " administrator, grant the role what the end of that file lists, and set"
                    + " 'store.postgresql.initialize-schema=never'." + SCHEMA;
        }
        if (cause instanceof OtherDatabaseException) {
            return "Let 'spring.datasource.url' lead to PostgreSQL 14 or later with the encoding UTF8, or mark the"
                    + " DataSource that does with @StoreDataSource; or remove 'store.engine=postgresql', so that the store is in a file. A test"
                    + " keeps it in memory with @AutoConfigureTestStore.";
        }
        if (cause instanceof StoreUnavailableException) {
            return "Check that the server runs and accepts connections, and check 'spring.datasource.url',"
                    + " 'spring.datasource.username' and 'spring.datasource.password', or the DataSource bean.";
        }
        return null;
    }

    /** Returns the problem with the reason that the driver gives, such as the address that refuses connections. */
    static String withReason(StoreException cause) {
        String reason = null;
        for (Throwable deeper = cause.getCause(); deeper != null; deeper = deeper.getCause()) {
            if (deeper.getClass().getName().startsWith("java.sql.") && deeper.getMessage() != null) {
                reason = deeper.getMessage(); // the pool's comes first, then the driver's
            }
        }
        return reason == null || reason.isBlank() ? cause.problem() : cause.problem() + ": " + reason;
    }
}
