package dev.ttlstore.spring.autoconfigure;

import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Checks the adapters: one that is enabled needs its library, and the settings of one that is not have no effect. */
final class AdapterCheck {

    private static final Logger log = LoggerFactory.getLogger(AdapterCheck.class);

    private final Environment environment;
    private final KnownProperties known;

    AdapterCheck(Environment environment, KnownProperties known) {
        this.environment = environment;
        this.known = known;
    }

    /**
     * Checks all adapters.
     *
     * @throws InvalidConfigurationPropertyValueException if one is enabled that lacks its library
     */
    void requireEffect() {
        for (Adapter adapter : Adapter.ALL) {
            Boolean enabled = environment.getProperty(adapter.enabled().toString(), Boolean.class, false);
            if (enabled) {
                requireLibraries(adapter);
            } else {
                tellOfSettings(adapter);
            }
        }
    }

    private static void requireLibraries(Adapter adapter) {
        for (Adapter.Library library : adapter.needed()) {
            if (!ClassUtils.isPresent(library.type(), null)) {
                throw new InvalidConfigurationPropertyValueException(
                        adapter.enabled().toString(),
                        true,
                        "it needs '" + library.artifact()
                                + "' on the class path: add that dependency, or remove the property");
            }
        }
    }

    private void tellOfSettings(Adapter adapter) {
        Set<ConfigurationPropertyName> set = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (!OthersInEnvironment.isEnvironment(source)
                    && source instanceof IterableConfigurationPropertySource names) {
                names.stream()
                        .filter(adapter.property()::isAncestorOf)
                        .filter(name -> !name.equals(adapter.enabled()) && known.isKnown(name))
                        .forEach(set::add);
            }
        }
        if (!set.isEmpty()) {
            log.warn("The properties {} have no effect, because '{}' is not true", set, adapter.enabled());
        }
    }
}
