package dev.ttlstore.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** The options for the store that a command works on. */
final class StoreOption {

    @Option(
            names = "--store",
            required = true,
            paramLabel = "FILE|URL",
            description = "The file of the store, or the JDBC URL of a PostgreSQL database.")
    private String where = "";

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            defaultValue = "ttl_store",
            description = "The schema in the database; ${DEFAULT-VALUE} by default.")
    private String schema = "";

    @Option(names = "--user", paramLabel = "ROLE", description = "The role that logs in to the database.")
    private @Nullable String user;

    @Option(
            names = "--password",
            interactive = true,
            arity = "0",
            description = "Asks for the password. Without it, the variable PGPASSWORD and the driver's own ways count.")
    private char @Nullable [] password;

    StoreLocation place() {
        return new StoreLocation(where, schema, user, password);
    }

    /** The options for the store that a copy is written to. */
    static final class Target {

        @Option(
                names = "--to",
                required = true,
                paramLabel = "FILE|URL",
                description = "The file to create, or the JDBC URL of a PostgreSQL database.")
        private String where = "";

        @Option(
                names = "--to-schema",
                paramLabel = "NAME",
                defaultValue = "ttl_store",
                description = "The schema in the database, which is created; ${DEFAULT-VALUE} by default.")
        private String schema = "";

        @Option(names = "--to-user", paramLabel = "ROLE", description = "The role that logs in to that database.")
        private @Nullable String user;

        @Option(
                names = "--to-password",
                interactive = true,
                arity = "0",
                description = "Asks for the password of that role.")
        private char @Nullable [] password;

        StoreLocation place() {
            return new StoreLocation(where, schema, user, password);
        }
    }
}
