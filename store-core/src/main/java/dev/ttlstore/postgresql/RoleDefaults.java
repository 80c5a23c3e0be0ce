package dev.ttlstore.postgresql;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What transactions are unless they begin otherwise. A commit that is sent as one text takes this as it is, so with an unusual default
 * each commit begins a transaction of its own first.
 */
final class RoleDefaults {

    private static final Logger log = LoggerFactory.getLogger(RoleDefaults.class);

    private static final String QUERY = """
            SELECT name, setting FROM pg_catalog.pg_settings
             WHERE (name = 'default_transaction_isolation' AND setting <> 'read committed')
                OR (name = 'default_transaction_read_only' AND setting <> 'off')
             ORDER BY name
            """;

    private RoleDefaults() {}

    /** Adds a look at the defaults, which logs those that slow commits down. */
    static Script look(Script script) {
        return script.query(
                QUERY,
                row -> log.info(
                        "Each write takes more round trips, because '{}' is '{}' for the role of the store; change it with"
                                + " ALTER ROLE … SET …",
                        row.getString(1),
                        row.getString(2)));
    }
}
