package dev.ttlstore.spring.autoconfigure;

import javax.sql.DataSource;

import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.autoconfigure.StoreProperties.PostgreSql.InitializeSchema;

/** Applies properties to the shared engine. Not thread-safe. */
final class PostgreSqlSettings {

    private static final String SECTION = "store.postgresql.";

    private PostgreSql engine;

    private PostgreSqlSettings(DataSource source) {
        this.engine = PostgreSql.on(source);
    }

    /** Returns the engine on a data source. If it refuses a value, the exception names the property. */
    static PostgreSql engine(StoreProperties.PostgreSql properties, DataSource source) {
        PostgreSqlSettings settings = new PostgreSqlSettings(source);
        settings.apply(properties);
        return settings.engine;
    }

    private void apply(StoreProperties.PostgreSql properties) {
        engine = engine.initializeSchema(properties.initializeSchema() == InitializeSchema.ALWAYS)
                .notifications(properties.notifications())
                .distributed(properties.distributed());
        BuilderSettings.set(SECTION + "schema", properties.schema(), name -> engine = engine.schema(name));
        BuilderSettings.set(
                SECTION + "kept-changes", properties.keptChanges(), time -> engine = engine.keptChanges(time));
    }
}
