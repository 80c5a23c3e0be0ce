package dev.ttlstore.spring.autoconfigure;

import javax.sql.DataSource;

import org.springframework.util.ClassUtils;

import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.autoconfigure.StoreProperties.PostgreSql.InitializeSchema;
import dev.ttlstore.spring.transaction.SpringTransactions;

/** Applies properties to the shared engine. Not thread-safe. */
final class PostgreSqlSettings {

    private static final String SECTION = "store.postgresql.";

    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.ConnectionHolder", PostgreSqlSettings.class.getClassLoader());

    private PostgreSql engine;

    private PostgreSqlSettings(DataSource source) {
        this.engine = PostgreSql.on(source);
    }

    /** Returns the engine on a data source. If it refuses a value, the exception names the property. */
    static PostgreSql engine(StoreProperties.PostgreSql properties, DataSource source) {
        PostgreSqlSettings settings = new PostgreSqlSettings(source);
        settings.apply(properties);
        return properties.joinTransactions() && HAS_TRANSACTIONS
                ? Joining.transactions(settings.engine, source)
                : settings.engine;
    }

    /** Loaded only if Spring's support of transactions and JDBC is there. */
    private static final class Joining {

        static PostgreSql transactions(PostgreSql engine, DataSource source) {
            return engine.joining(new SpringTransactions(source));
        }
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
