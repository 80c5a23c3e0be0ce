package dev.ttlstore.spring.test;

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

import dev.ttlstore.spring.test.AutoConfigureTestStore.Replace;

/**
 * Sets {@code store.in-memory=true} with the highest precedence, and the engine that goes with it, unless the test sets the location
 * of the store, or the application keeps it in PostgreSQL and has left out SQLite. It checks that when a property is read, because
 * dynamic properties may be added until then.
 */
final class InMemoryProperty extends PropertySource<TestProperties> {

    private static final Logger log = LoggerFactory.getLogger(InMemoryProperty.class);

    private static final String IN_MEMORY = "store.in-memory";

    private static final String ENGINE = "store.engine";

    private static final ConfigurationPropertyName ENGINE_NAME = ConfigurationPropertyName.of(ENGINE);

    private static final String POSTGRESQL = "postgresql";

    /** The driver, which an application with its store in PostgreSQL may leave out. */
    private static final boolean HAS_DRIVER =
            ClassUtils.isPresent("org.sqlite.JDBC", InMemoryProperty.class.getClassLoader());

    private final ConfigurableEnvironment environment;
    private final AtomicBoolean told = new AtomicBoolean();

    InMemoryProperty(ConfigurableEnvironment environment, TestProperties test) {
        super("ttlStoreInMemory", test); // not the environment, which Boot treats as a source of its own
        this.environment = environment;
    }

    @Override
    public @Nullable Object getProperty(String name) {
        if (!(name.equals(IN_MEMORY) || name.equals(ENGINE))
                || Replace.in(environment) == Replace.NONE
                || getSource().contain("store.path")
                || getSource().contain(IN_MEMORY)) {
            return null;
        }
        boolean shared = POSTGRESQL.equalsIgnoreCase(engine());
        if (shared && (!HAS_DRIVER || getSource().contain(ENGINE))) {
            return null;
        }
        if (told.compareAndSet(false, true)) {
            log.info(
                    "Tests use the starter's store in memory. To use {} in the test, or 'store.test.replace=none' for all"
                            + " tests",
                    shared ? "PostgreSQL, set 'store.engine=postgresql'" : "a file, set 'store.path'");
        }
        return name.equals(ENGINE) ? "sqlite" : true;
    }

    /** Returns the engine that all other sources choose; empty if they choose none. */
    private String engine() {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            ConfigurationProperty property =
                    source.getUnderlyingSource() == this ? null : source.getConfigurationProperty(ENGINE_NAME);
            if (property != null) {
                return environment.resolvePlaceholders(property.getValue().toString());
            }
        }
        return "";
    }
}
