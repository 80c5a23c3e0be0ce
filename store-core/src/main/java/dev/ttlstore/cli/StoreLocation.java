package dev.ttlstore.cli;

import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.sqlite.Sqlite;

import picocli.CommandLine.Option;

/**
 * Where a store is.
 *
 * @param where the path of a file, or the JDBC URL of a PostgreSQL database
 * @param schema the schema in the database
 * @param user the role; null for that of the URL or the driver's
 * @param password its password; null for that of the URL, the environment or the driver's
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoreLocation(String where, String schema, @Nullable String user, char @Nullable [] password) {

    private static final String OF_DATABASE = "jdbc:postgresql:";

    /** A URL may contain a password, so none is printed, and none is taken for a path, which would be printed. */
    private static final Pattern URL =
            Pattern.compile("(?i)(jdbc|postgres|postgresql|pgsql):.*|[a-z][a-z0-9+.-]+://.*");

    /** The driver would take a role and a password before the host for a part of its name or its port, and log them. */
    private static final Pattern WITH_LOGIN = Pattern.compile(OF_DATABASE + "[^?]*@.*");

    /** Refuses what is neither a path nor a URL that the driver takes. */
    StoreLocation {
        if (!where.startsWith(OF_DATABASE)) {
            Path unused = path(where);
        } else if (WITH_LOGIN.matcher(where).matches()) {
            throw new IllegalArgumentException(
                    "The URL has a role or a password before the host. Name the role with --user; --password asks for the"
                            + " password. An @ in the name of a database is written as %40");
        }
    }

    static boolean isUrl(String argument) {
        return URL.matcher(argument).matches();
    }

    /** Returns the path that an argument names. */
    static Path path(String argument) {
        if (isUrl(argument)) {
            throw new IllegalArgumentException(
                    "A store is named by the path of a file, or by a JDBC URL, which begins with " + OF_DATABASE
                            + "//; other files are named by their paths. This is another URL");
        }
        return Path.of(argument);
    }

    /** An engine's public face, and what is to be closed after it. */
    record Reached(EngineFactory engine, AutoCloseable connections) implements AutoCloseable {

        @Override
        public void close() {
            try {
                connections.close();
            } catch (Exception e) {
                throw new IllegalStateException("The connections cannot be closed", e);
            }
        }
    }

    boolean isFile() {
        return !where.startsWith(OF_DATABASE);
    }

    Path file() {
        return Path.of(where);
    }

    /** Returns the place of a store that exists. */
    Reached existing() {
        return isFile() ? new Reached(existingFile(), () -> {}) : reach(false);
    }

    /** Returns the file of a store, which exists. */
    Sqlite existingFile() {
        if (!Files.exists(file())) {
            throw new CommandException("There is no store " + file().toAbsolutePath()
                    + ". To make one of a backup, use the command 'restore'");
        }
        if (Files.isRegularFile(file()) && file().toFile().length() == 0) {
            throw new CommandException("There is no store " + file().toAbsolutePath() + ": the file is empty");
        }
        return sqlite();
    }

    /** Returns the file of a store, which exists, to repair it. */
    Sqlite fileToRepair() {
        if (!isFile()) {
            throw new CommandException("A database is repaired by its own tools, such as amcheck and REINDEX");
        }
        return existingFile();
    }

    /** Returns the file of a store, which need not exist. */
    Sqlite sqlite() {
        return Sqlite.file(file()).copyBeforeMigration(true);
    }

    /** Returns the backup to restore here, where no file is: the one that is named, or the newest of a folder. */
    Path newestBackup(Path backup) {
        if (!isFile()) {
            throw new CommandException("A database is restored by its own tools, such as pg_restore");
        }
        if (Files.exists(file())) {
            throw new CommandException("The file " + this
                    + " was not restored, because it exists. Move it away together with the files beside it that begin with its"
                    + " name");
        }
        return sqlite().newestBackup(backup)
                .orElseThrow(() -> new CommandException("There is no backup of " + file().getFileName()
                        + " at " + backup.toAbsolutePath()
                        + ". In a folder its name begins with that of the file, followed"
                        + " by a full stop, and ends with .backup; a backup of another name must be named itself"));
    }

    /** Returns the place of a store that may have to be created. */
    Reached creating() {
        return reach(true);
    }

    private Reached reach(boolean create) {
        if (isFile()) {
            return new Reached(sqlite(), () -> {});
        }
        try {
            HikariDataSource pool = Connections.to(where, user, password);
            return new Reached(PostgreSql.on(pool).schema(schema).initializeSchema(create), pool);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "A database needs the libraries com.zaxxer:HikariCP and org.postgresql:postgresql on the class path",
                    e);
        }
    }

    /** Returns a text without the URL, which may contain a password. */
    @Override
    public String toString() {
        return isFile() ? file().toAbsolutePath().normalize().toString() : "schema '" + schema + "'";
    }

    /** The connections of a command to a database. A class of its own, so that others can be loaded without HikariCP. */
    private static final class Connections {

        /** As PostgreSQL's own programs name it. */
        private static final String PASSWORD = "PGPASSWORD";

        private static final int MOST = 4;

        static HikariDataSource to(String url, @Nullable String user, char @Nullable [] password) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url);
            config.setPoolName("ttl-store");
            config.setMaximumPoolSize(MOST);
            config.setMinimumIdle(0);
            if (user != null) {
                config.setUsername(user);
            }
            String secret = password == null ? System.getenv(PASSWORD) : new String(password);
            if (secret != null) {
                config.setPassword(secret);
            }
            return new HikariDataSource(config);
        }
    }

    /** A command cannot do what it was asked for, although its arguments are well-formed. */
    private static final class CommandException extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1L;

        private CommandException(String message) {
            super(message);
        }
    }

    /** The options for the store that a command works on. */
    static final class Options {

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
                description =
                        "Asks for the password. Without it, the variable PGPASSWORD and the driver's own ways count.")
        private char @Nullable [] password;

        StoreLocation place() {
            return new StoreLocation(where, schema, user, password);
        }
    }

    /** The options for the store that a copy is written to. */
    static final class TargetOptions {

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
