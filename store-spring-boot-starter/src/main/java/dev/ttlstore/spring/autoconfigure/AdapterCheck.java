package dev.ttlstore.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Checks that settings have an effect: an adapter that is enabled needs its library, and the settings of one that is not have none, nor have
 * those of an auto-configuration that the application excludes.
 */
final class AdapterCheck {

    private static final Logger log = LoggerFactory.getLogger(AdapterCheck.class);

    private final Environment environment;
    private final KnownProperties known;
    private final SortedSet<ConfigurationPropertyName> written;

    /**
     * Prepares the check.
     *
     * @param environment says which adapters are enabled
     * @param known the properties that there are
     * @param written the names that are set, but for those in environment variables, which other programs may use as well
     */
    AdapterCheck(Environment environment, KnownProperties known, SortedSet<ConfigurationPropertyName> written) {
        this.environment = environment;
        this.known = known;
        this.written = written;
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
        List<ConfigurationPropertyName> set = settingsIn(adapter.property());
        if (!set.isEmpty()) {
            log.warn("The properties {} have no effect, because '{}' is not true", set, adapter.enabled());
        }
    }

    /**
     * Tells of settings that nothing reads.
     *
     * @param excluded the names of the auto-configurations that the application excludes
     */
    void tellOfExcluded(Collection<String> excluded) {
        PropertyRecords.byPrefix().forEach((prefix, record) -> {
            String reader = record.getName().replaceFirst("Properties$", "AutoConfiguration");
            if (!prefix.isEmpty() && excluded.contains(reader)) {
                List<ConfigurationPropertyName> set =
                        settingsIn(KnownProperties.ROOT.append(prefix.substring(0, prefix.length() - 1)));
                if (!set.isEmpty()) {
                    log.warn(
                            "The properties {} have no effect, because the auto-configuration {} is excluded",
                            set,
                            ClassUtils.getShortName(reader));
                }
            }
        });
    }

    /** Returns the settings of a section that are set, but for the one that enables it. */
    private List<ConfigurationPropertyName> settingsIn(ConfigurationPropertyName section) {
        return written.stream()
                .filter(section::isAncestorOf)
                .filter(name -> !name.equals(section.append("enabled")) && known.isKnown(name))
                .toList();
    }
}
