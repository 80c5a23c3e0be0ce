package dev.ttlstore.spring.test;

import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * The properties that a test sets itself: by annotations and the files that they name, dynamic properties, arguments,
 * and {@code TestPropertyValues}. Properties of the application and of the machine are excluded.
 */
final class TestProperties {

    /**
     * Dynamic properties, {@code @SpringBootTest(args = …)} and {@code TestPropertyValues}, by the names of their
     * sources.
     */
    private static final Set<String> OF_TESTS = Set.of("Dynamic Test Properties", "commandLineArgs", "test");

    private final MutablePropertySources ofContext;
    private final MutablePropertySources ofAnnotations;

    TestProperties(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        this.ofContext = context.getEnvironment().getPropertySources();
        this.ofAnnotations = ofAnnotations(context, configuration);
    }

    /**
     * Reads the properties of annotations again, because the context does not distinguish them from the application's
     * files.
     */
    private static MutablePropertySources ofAnnotations(
            ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        PropertySource<?> placeholders = new PropertySource<>("ttlStorePlaceholders") {
            @Override
            public @Nullable Object getProperty(String name) {
                return context.getEnvironment().getProperty(name);
            }
        };
        ConfigurableEnvironment environment = new StandardEnvironment() {
            @Override
            protected void customizePropertySources(MutablePropertySources sources) {
                sources.addLast(placeholders); // the locations of files may contain placeholders
            }
        };
        TestPropertySourceUtils.addPropertySourcesToEnvironment(
                environment, context, configuration.getPropertySourceDescriptors());
        TestPropertySourceUtils.addInlinedPropertiesToEnvironment(
                environment, configuration.getPropertySourceProperties());
        MutablePropertySources sources = environment.getPropertySources();
        sources.remove(placeholders.getName());
        return sources;
    }

    boolean contain(String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        return Stream.concat(
                        ofAnnotations.stream(),
                        ofContext.stream().filter(source -> OF_TESTS.contains(source.getName())))
                .map(ConfigurationPropertySource::from)
                .anyMatch(source -> source != null && source.getConfigurationProperty(name) != null);
    }
}
