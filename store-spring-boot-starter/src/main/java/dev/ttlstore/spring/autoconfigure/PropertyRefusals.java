package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;

import dev.ttlstore.spring.autoconfigure.UnknownPropertyException.Unknown;

/**
 * Collects properties that are meant for the store but would have no effect. Other programs share the environment of
 * the process, so an environment variable is refused only if it cannot belong to another program.
 */
final class PropertyRefusals {

    private static final Logger log = LoggerFactory.getLogger(PropertyRefusals.class);

    private static final ConfigurationPropertyName GROUPS = KnownProperties.ROOT.append("groups");

    private static final ConfigurationPropertyName SCOPES = KnownProperties.ROOT.append("scopes");

    private final KnownProperties known;
    private final Set<ConfigurationPropertyName> declared = new TreeSet<>();
    private final List<Unknown> refused = new ArrayList<>();
    private final Set<String> others = new TreeSet<>();
    private boolean ofDeclaration;

    PropertyRefusals(KnownProperties known) {
        this.known = known;
    }

    /** Checks a name from a source of the application. */
    void look(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationPropertyName renamed = known.renamed(name);
        if (renamed != null) {
            refuse(name, source, "has been renamed; use '" + renamed + "'");
        } else if (known.isEntry(name)) {
            refuse(name, source, "has a value where settings are expected; use '" + firstSetting(name) + "'");
        } else if ((known.isOfEntry(name) || EngineCheck.SHARED.isAncestorOf(name)) && !known.isKnown(name)) {
            refuseUnknown(name, source);
        } else if (known.isOfEntry(name)) {
            declared.add(name);
        }
    }

    /** Checks the name of an environment variable. Call this after all other sources are checked. */
    void lookInEnvironment(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        if (EngineCheck.SHARED.isAncestorOf(name)) {
            lookAtSharedInEnvironment(name, source);
            return;
        }
        boolean unknown = known.isDeclaration(name) && !(known.isOfEntry(name) && known.isKnownInEnvironment(name));
        if (unknown && declared.stream().noneMatch(other -> EnvironmentNames.isSame(name, other))) {
            lookAtUnknownInEnvironment(name, source);
        }
    }

    /** A service may be named 'store-postgresql'. */
    private void lookAtSharedInEnvironment(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        if (known.isKnownInEnvironment(name)) {
            return;
        }
        boolean misspelt =
                known.in(EngineCheck.SHARED).anyMatch(setting -> EnvironmentNames.isMisspelling(name, setting));
        if (misspelt && !EnvironmentNames.isServiceLink(name)) {
            refuseUnknown(name, source);
        } else {
            others.add(variable(name, source));
        }
    }

    private void lookAtUnknownInEnvironment(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationPropertyName section = known.section(name);
        if (section != null && known.isOfEntry(name) && !EnvironmentNames.isServiceLink(name)) {
            for (String setting : known.settingsOfEntry(name)) {
                List<String> longer = EnvironmentNames.longerName(name, section, setting);
                if (!longer.isEmpty()) {
                    refuse(name, source, whyNotLonger(section, longer, setting));
                    return;
                } else if (EnvironmentNames.isMeantFor(name, section, setting)) {
                    refuseUnknown(name, source);
                    return;
                }
            }
        }
        others.add(variable(name, source));
    }

    /** Returns why a name with several parts is refused. The name of a scope cannot have a dot. */
    private static String whyNotLonger(ConfigurationPropertyName section, List<String> parts, String setting) {
        String dashed = "'" + section + "." + String.join("-", parts) + "." + setting + "'";
        if (section.equals(SCOPES)) {
            return "names no scope, because an environment variable has no hyphens; set " + dashed + " in a file";
        }
        String dotted = String.join(".", parts);
        return "names no " + (section.equals(GROUPS) ? "group" : "cache")
                + ", because an environment variable cannot distinguish '" + String.join("-", parts) + "' from '"
                + dotted
                + "'; set " + dashed + " or '" + section + "[" + dotted + "]." + setting + "' in a file";
    }

    private String firstSetting(ConfigurationPropertyName entry) {
        return entry.append(known.settingsOfEntry(entry).get(0)).toString();
    }

    private void refuseUnknown(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        refuse(name, source, "is unknown; the nearest name is '" + known.nearest(name) + "'");
    }

    private void refuse(ConfigurationPropertyName name, ConfigurationPropertySource source, String problem) {
        ofDeclaration |= known.isDeclaration(name);
        ConfigurationProperty property = source.getConfigurationProperty(name);
        refused.add(new Unknown(
                name.toString(),
                property == null || property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")",
                problem));
    }

    private static String variable(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return property != null && property.getOrigin() instanceof PropertySourceOrigin origin
                ? origin.getPropertyName()
                : name.toString();
    }

    /**
     * Fails if a property is refused.
     *
     * @throws UnknownPropertyException if a property is refused
     */
    void throwIfAny() {
        if (!refused.isEmpty()) {
            throw new UnknownPropertyException(refused, ofDeclaration ? known.describeEntries() : "");
        }
    }

    /** Logs the environment variables that are ignored. */
    void warnOfOthers() {
        if (!others.isEmpty()) {
            log.warn(
                    "The environment variables {} look like settings of the store, but have no effect on it. If Kubernetes"
                            + " sets them for a service, 'enableServiceLinks: false' in the pod's specification removes"
                            + " them. The page properties.md of the starter's documentation lists the store's own properties",
                    others);
        }
    }
}
