package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;

/**
 * The engine that the properties choose. {@code store.in-memory=true} overrides an engine that is set with lower precedence, as
 * a test or the command line does, and is overridden by one that is set with higher precedence, as in a profile.
 *
 * @param engine the engine
 * @param place the place of its property among the sources, the first of which has the highest precedence; beyond the last one
 *     if it is not set
 * @param inMemory whether {@code store.in-memory} is true
 * @param inMemoryPlace the place of that property
 */
record EngineChoice(Engine engine, int place, boolean inMemory, int inMemoryPlace) {

    static final ConfigurationPropertyName ENGINE = ConfigurationPropertyName.of("store.engine");

    static final ConfigurationPropertyName IN_MEMORY = ConfigurationPropertyName.of("store.in-memory");

    static EngineChoice in(Environment environment) {
        Binder binder = Binder.get(environment);
        return new EngineChoice(
                value(binder.bind(ENGINE.toString(), Engine.class), Engine.SQLITE),
                place(ENGINE, environment),
                value(binder.bind(IN_MEMORY.toString(), Boolean.class), false),
                place(IN_MEMORY, environment));
    }

    private static <T> T value(BindResult<T> bound, T unbound) {
        return bound.isBound() ? bound.get() : unbound;
    }

    private static int place(ConfigurationPropertyName name, Environment environment) {
        int place = 0;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(name) != null) {
                return place;
            }
            place++;
        }
        return place;
    }

    /** Returns whether the store is in PostgreSQL. */
    boolean isShared() {
        return engine == Engine.POSTGRESQL && !isInMemory();
    }

    boolean isInMemory() {
        return inMemory && (engine == Engine.SQLITE || inMemoryPlace < place);
    }
}
