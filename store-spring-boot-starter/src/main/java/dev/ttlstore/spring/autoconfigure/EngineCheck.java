package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;

/**
 * Refuses properties of the engine that is not chosen, because they have no effect. Those in a place of lower precedence than
 * {@code store.engine} are overridden rather than wrong, such as the path in the application's jar if a profile or the
 * environment chooses the shared engine. Environment variables may belong to other programs. Both are only logged.
 */
final class EngineCheck {

    private static final Logger log = LoggerFactory.getLogger(EngineCheck.class);

    static final ConfigurationPropertyName SHARED = KnownProperties.ROOT.append("postgresql");

    private static final ConfigurationPropertyName EMBEDDED = KnownProperties.ROOT.append("sqlite");

    private static final ConfigurationPropertyName BACKUP = KnownProperties.ROOT.append("backup");

    /** The settings of the embedded engine that are outside its section. */
    private static final List<ConfigurationPropertyName> ALSO_EMBEDDED =
            List.of(named("path"), named("durability"), named("lock-timeout"));

    private final Environment environment;
    private final KnownProperties known;
    private final EngineChoice choice;
    private final Set<ConfigurationPropertyName> overridden = new TreeSet<>();

    EngineCheck(Environment environment, KnownProperties known) {
        this.environment = environment;
        this.known = known;
        this.choice = EngineChoice.in(environment);
    }

    private static ConfigurationPropertyName named(String name) {
        return KnownProperties.ROOT.append(name);
    }

    /**
     * Checks all sources.
     *
     * @throws InvalidConfigurationPropertyValueException if a property has no effect
     */
    void requireEffect() {
        if (StoreCopyCommand.isAsked(environment)) {
            return; // the settings of both engines have an effect
        }
        List<ConfigurationPropertyName> others = choice.isShared()
                ? Stream.of(known.in(EMBEDDED), known.in(BACKUP), ALSO_EMBEDDED.stream(), inMemory())
                        .flatMap(names -> names)
                        .toList()
                : known.in(SHARED).toList();
        int place = 0;
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            for (ConfigurationPropertyName name : others) {
                look(name, source.getConfigurationProperty(name), source, place);
            }
            place++;
        }
        if (!overridden.isEmpty()) {
            log.info(
                    "The properties {} have no effect, because '{}' is '{}'",
                    overridden,
                    EngineChoice.ENGINE,
                    value(choice.engine()));
        }
    }

    /** That a store is not in memory is true of a shared one. */
    private Stream<ConfigurationPropertyName> inMemory() {
        return choice.inMemory() ? Stream.of(EngineChoice.IN_MEMORY) : Stream.of();
    }

    private void look(
            ConfigurationPropertyName name,
            @Nullable ConfigurationProperty property,
            ConfigurationPropertySource source,
            int place) {
        if (property != null) {
            if (place > choice.place() || ForeignVariables.isEnvironment(source)) {
                overridden.add(name);
            } else {
                throw new InvalidConfigurationPropertyValueException(
                        name.toString(), property.getValue(), reason(name));
            }
        }
    }

    private static String reason(ConfigurationPropertyName name) {
        return SHARED.isAncestorOf(name)
                ? "it has no effect unless 'store.engine' is 'postgresql': set that, or remove this property"
                : "it is for the embedded engine and has no effect, because 'store.engine' is 'postgresql'"
                        + (name.equals(named("durability")) ? ", which syncs each commit as its server is set up" : "")
                        + ": remove it, or set 'store.engine' to 'sqlite'";
    }

    private static String value(Engine engine) {
        return engine == Engine.POSTGRESQL ? "postgresql" : "sqlite";
    }
}
