package dev.ttlstore.jcache;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

import dev.ttlstore.serialization.AllowedClasses;

/** The properties of a manager. Those that its caller does not give come from the system properties of the same names. */
final class JCacheProperties {

    static final String PREFIX = "dev.ttlstore.jcache.";
    static final String URI = PREFIX + "uri";
    static final String ALLOWED_CLASSES = PREFIX + "allowed-classes";

    static final String JOIN_TRANSACTIONS = PREFIX + "join-transactions";

    private static final String DEFAULT_URI = "file:ttl-store-jcache.db";
    private static final Set<String> NAMES = new TreeSet<>(List.of(URI, ALLOWED_CLASSES, JOIN_TRANSACTIONS));

    private JCacheProperties() {}

    /** Returns the system properties that concern JCache. */
    static Properties defaults() {
        Properties defaults = new Properties();
        Properties system = System.getProperties();
        for (String name : system.stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                defaults.setProperty(name, system.getProperty(name));
            }
        }
        return requireKnown(defaults);
    }

    static String defaultUri() {
        return System.getProperty(URI, DEFAULT_URI);
    }

    /**
     * Returns the properties if none of them is misspelt.
     *
     * @throws IllegalArgumentException if one of ours is unknown; others are not for us
     */
    static Properties requireKnown(Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !NAMES.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is not a property of TTL Store; there are " + NAMES);
            }
        }
        return properties;
    }

    /**
     * Returns a copy of the properties of a manager.
     *
     * @throws IllegalArgumentException if one of ours is unknown or malformed
     */
    static Properties copy(Properties properties) {
        Properties copy = new Properties();
        requireKnown(properties).forEach(copy::put);
        try {
            AllowedClasses unused = AllowedClasses.of(allowedClasses(copy));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + ALLOWED_CLASSES + "' is malformed: " + e.getMessage(), e);
        }
        boolean unused = joinsTransactions(copy);
        return copy;
    }

    /**
     * Returns whether caches take part in transactions of the application.
     *
     * @throws IllegalArgumentException if the property is neither true nor false
     */
    static boolean joinsTransactions(Properties properties) {
        String given = properties
                .getProperty(JOIN_TRANSACTIONS, System.getProperty(JOIN_TRANSACTIONS, "false"))
                .strip();
        if (!given.equals("true") && !given.equals("false")) {
            throw new IllegalArgumentException(
                    "'" + JOIN_TRANSACTIONS + "' must be true or false, but is '" + given + "'");
        }
        return given.equals("true");
    }

    /** Returns the patterns of the classes that may be serialized, of the properties and of the system. */
    static List<String> allowedClasses(Properties properties) {
        String given = properties.getProperty(ALLOWED_CLASSES, System.getProperty(ALLOWED_CLASSES, ""));
        return Arrays.stream(given.split(",", -1))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList();
    }
}
