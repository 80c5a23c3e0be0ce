package dev.ttlstore.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;
import dev.ttlstore.sqlite.Sqlite;
import dev.ttlstore.transaction.ApplicationTransactions;

/**
 * Knows the location of the store that the properties describe, and opens it.
 *
 * @since 0.1
 * @see StoreProperties
 * @see StoreAutoConfiguration
 */
public final class ConfiguredStore implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredStore.class);

    /** Prefixes that name a location elsewhere. As paths they would create files and folders with odd names. */
    private static final Map<String, String> NO_PATHS = Map.of(
            "~/", "write '${user.home}/' instead of '~/'",
            "file:", "remove 'file:'",
            "jdbc:", "write only the path of the file",
            ":memory:", "set 'store.in-memory' to true");

    private final StoreProperties properties;
    private final ObjectProvider<InstantSource> clock;
    private final ObjectProvider<RestoreFolder> backups;
    private final StoreDataSources sources;
    private final EngineChoice choice;
    private final OwnConnections connections = new OwnConnections();
    private volatile @Nullable ApplicationTransactions transactions;

    ConfiguredStore(
            StoreProperties properties,
            ObjectProvider<InstantSource> clock,
            Environment environment,
            StoreDataSources sources,
            ObjectProvider<RestoreFolder> backups) {
        this.properties = properties;
        this.clock = clock;
        this.sources = sources;
        this.backups = backups;
        this.choice = EngineChoice.in(environment);
    }

    /**
     * Tests where the store is.
     *
     * @return whether it is in memory
     */
    public boolean isInMemory() {
        return choice.isInMemory();
    }

    /**
     * Tests who has the entries.
     *
     * @return whether other instances have the same ones
     */
    public boolean isShared() {
        return choice.isShared();
    }

    /**
     * Returns the store's file.
     *
     * @return its path; null if the store is in memory or in a database
     */
    @Nullable
    public Path file() {
        return isInMemory() || isShared() ? null : path(properties.path());
    }

    /**
     * Tests whether the file may have entries when it is opened: it exists, or opening restores it from a backup.
     *
     * @return false if there is no file, or a new one
     */
    public boolean mayHaveEntries() {
        Path file = file();
        return file != null && (Files.exists(file) || restoreFolder() != null);
    }

    /** Returns the folder from which a missing file is restored, or null if it is not restored. */
    private @Nullable Path restoreFolder() {
        RestoreFolder folder = backups.getIfAvailable();
        return folder == null ? null : folder.path();
    }

    /**
     * Opens the store.
     *
     * @param more sets what the properties do not
     * @return the store
     */
    public Store open(Consumer<StoreBuilder> more) {
        StoreBuilder builder = Store.builder();
        builder.purgeInterval(Duration.ZERO); // the starter schedules the purge
        BuilderSettings settings = new BuilderSettings(builder);
        settings.apply(properties);
        if (isShared()) {
            builder.engine(shared(sources.choose()));
        } else {
            settings.restoreFrom(restoreFolder());
            settings.applyEngine(properties.sqlite(), file());
            clock.ifUnique(builder::clock);
        }
        more.accept(builder);
        return open(builder);
    }

    private PostgreSql shared(DataSource chosen) {
        leaveTimeToTheServer();
        DataSource source = TransactionAwareSource.without(chosen);
        StoreProperties.PostgreSql settings = properties.postgresql();
        transactions = PostgreSqlConfigurer.transactions(settings, source);
        return PostgreSqlConfigurer.engine(
                settings, connections.beside(source, !sources.areMarked(), settings.connections()), transactions);
    }

    /** Returns the transactions in which the opened store takes part; null if in none. */
    @Nullable
    ApplicationTransactions transactions() {
        return transactions;
    }

    /**
     * Returns the store's own connections.
     *
     * @return the connections
     */
    public OwnConnections connections() {
        return connections;
    }

    /** Closes the connections of a store. The context has closed the store before. */
    @Override
    public void close() throws IOException {
        connections.close();
    }

    /** Returns how to copy the store to the other engine. */
    StoreCopy copy() {
        Engine to = properties.copyTo();
        if (to == null || to == properties.engine() || isInMemory()) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.copy-to",
                    to,
                    isInMemory()
                            ? "a store in memory cannot be copied"
                            : "it must be the engine that 'store.engine' is not: 'postgresql' for a store in a file,"
                                    + " 'sqlite' for one in PostgreSQL");
        }
        Sqlite file = new BuilderSettings(Store.builder()).embedded(properties.sqlite(), path(properties.path()));
        PostgreSql database = shared(sources.chooseForCopy());
        return (to == Engine.POSTGRESQL
                        ? StoreCopy.from(file).to(database)
                        : StoreCopy.from(database).to(file))
                .lockTimeout(properties.lockTimeout());
    }

    /** The instances of a database have one time, so that a clock which is wrong in one of them lets nothing of the others expire. */
    private void leaveTimeToTheServer() {
        clock.ifUnique(ignored -> log.info(
                "The Clock or InstantSource bean of the application does not set the time of the store, which is that of the"
                        + " PostgreSQL server. A StoreBuilderCustomizer can set another with clock(…)"));
    }

    /** Describes where the store is with an engine, without the URL. */
    String place(Engine engine) {
        return engine == Engine.POSTGRESQL
                ? "the schema '" + properties.postgresql().schema() + "' in PostgreSQL"
                : "the file " + path(properties.path());
    }

    private Store open(StoreBuilder builder) {
        try {
            return builder.open();
        } catch (IllegalArgumentException e) {
            if (isShared()) {
                throw e;
            }
            throw new InvalidConfigurationPropertyValueException("store.path", properties.path(), e.getMessage(), e);
        }
    }

    /**
     * Logs where an opened store is, without the URL, which may have a password. A store on a data source is closed before it.
     *
     * @param store the store
     * @param bean the name of its bean
     */
    void opened(Store store, String bean) {
        Path path = store.path();
        if (path != null) {
            log.info("The store is in {}. To keep it elsewhere, set 'store.path'", path);
        } else if (isShared()) {
            log.info(
                    "The store is in PostgreSQL, in the schema '{}' of {}. To use another schema, set"
                            + " 'store.postgresql.schema'",
                    properties.postgresql().schema(),
                    sources.neededBy(sources.choose(), bean));
        } else {
            log.info("The store is in memory and is lost when the application stops");
        }
    }

    private static Path path(String path) {
        if (path.isBlank()) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, "it must name a file");
        }
        NO_PATHS.forEach((beginning, remedy) -> {
            if (path.startsWith(beginning)) {
                throw new InvalidConfigurationPropertyValueException("store.path", path, "it is not a path: " + remedy);
            }
        });
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, e.getReason(), e);
        }
    }
}
