package dev.ttlstore.spring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/**
 * Checks that Spring Boot binds the names of declared groups and scopes as written. Spring Boot splits a name at its
 * dots and drops most other special characters, unless the name is in brackets. The declaration would then apply to
 * another group.
 */
final class DeclaredNames {

    private static final Pattern DECLARATION = Pattern.compile(
            "store\\.(groups|scopes|cache-?manager\\.caches)\\.([^\\[\\]]+)\\.(ttl|metrics|type|quota\\.[a-zA-Z-]+)",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_-]+");

    private DeclaredNames() {}

    /**
     * Checks all declarations.
     *
     * @throws InvalidConfigurationPropertyValueException if Spring Boot would change a declared name
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
                    "a name with characters other than letters, digits, '-' and '_' must be in brackets: write 'store."
                            + declaration.group(1) + "[" + declaration.group(2) + "]." + declaration.group(3)
                            + "', or in YAML the quoted key \"[" + declaration.group(2) + "]\"");
        }
    }
}
