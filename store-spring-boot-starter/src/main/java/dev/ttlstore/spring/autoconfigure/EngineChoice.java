package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;

/**
 * The engine that the properties choose.
 *
 * @param engine the engine
 * @param place the place of its property among the sources, highest precedence first; beyond the last one
 *     if it is not set
 * @param inMemory whether {@code store.in-memory} is true, which has an effect on the embedded engine only
 */
record EngineChoice(Engine engine, int place, boolean inMemory) {

    static final ConfigurationPropertyName ENGINE = ConfigurationPropertyName.of("store.engine");

    static final ConfigurationPropertyName IN_MEMORY = ConfigurationPropertyName.of("store.in-memory");

    static EngineChoice in(Environment environment) {
        Binder binder = Binder.get(environment);
        return new EngineChoice(
                value(binder.bind(ENGINE.toString(), Engine.class), Engine.SQLITE),
                place(environment),
                value(binder.bind(IN_MEMORY.toString(), Boolean.class), false));
    }

    private static <T> T value(BindResult<T> bound, T unbound) {
        return bound.isBound() ? bound.get() : unbound;
    }

    private static int place(Environment environment) {
        int place = 0;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(ENGINE) != null) {
                return place;
            }
            place++;
        }
        return place;
    }

    /** Returns whether the store is in PostgreSQL. */
    boolean isShared() {
        return engine == Engine.POSTGRESQL;
    }

    boolean isInMemory() {
        return inMemory && engine == Engine.SQLITE;
    }
}
