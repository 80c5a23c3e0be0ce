package dev.ttlstore.spring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * Sees to it that the names of declared groups and scopes are taken as they are written. Spring Boot splits a name at its dots
 * and leaves out most other characters, unless it is in brackets; the declaration would then be one of another group.
 */
final class DeclaredNames {

    private static final Pattern DECLARATION = Pattern.compile(
            "store\\.(groups|scopes)\\.([^\\[\\]]+)\\.(ttl|metrics|quota\\.[a-zA-Z-]+)", Pattern.CASE_INSENSITIVE);

    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_-]+");

    private DeclaredNames() {}

    /**
     * Looks at all declarations.
     *
     * @throws InvalidConfigurationPropertyValueException if the name in one would be taken for another
     */
    static void requireAsWritten(Environment environment) {
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (PropertySource<?> source : configurable.getPropertySources()) {
                if (source instanceof EnumerablePropertySource<?> enumerable) {
                    for (String property : enumerable.getPropertyNames()) {
                        requireAsWritten(property, environment);
                    }
                }
            }
        }
    }

    private static void requireAsWritten(String property, Environment environment) {
        Matcher declaration = DECLARATION.matcher(property);
        if (declaration.matches() && !PLAIN.matcher(declaration.group(2)).matches()) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    environment.getProperty(property),
                    "a name with other characters than letters, digits, '-' and '_' has to be in brackets: write it as 'store."
                            + declaration.group(1) + "[" + declaration.group(2) + "]." + declaration.group(3)
                            + "', in YAML with the name in quotes and brackets, \"[" + declaration.group(2) + "]\"");
        }
    }
}
