package dev.ttlstore.spring;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Runs application contexts with each auto-configuration that the starter registers, and those of Boot's that it meets. */
public final class StarterRunner {

    private static final List<String> OF_BOOT = List.of(
            "org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration",
            "org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration",
            "org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration",
            "org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration");

    private StarterRunner() {}

    /** Keeps the store in a folder. */
    public static ApplicationContextRunner at(Path folder) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("store.path=" + folder.resolve("store.db"));
    }

    /** Keeps the store in a schema of the tests' database, on the DataSource that Boot configures. */
    public static ApplicationContextRunner onPostgreSql(String schema) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues(TestDatabase.properties(schema));
    }

    /**
     * Starts a context as {@link #onPostgreSql} does, for the tests of a class to share.
     *
     * @return the context, for the caller to close
     */
    public static ConfigurableApplicationContext startOnPostgreSql(
            String schema, List<Class<?>> configurations, String... properties) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(TestDatabase.properties(schema)).and(properties).applyTo(context);
        context.getBeanFactory().setConversionService(ApplicationConversionService.getSharedInstance());
        context.register(Application.class);
        configurations.forEach(context::register);
        context.register(DataSourceAutoConfiguration.class);
        context.refresh();
        return context;
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Selector.class)
    static class Application {}

    /**
     * Finds and filters auto-configurations as Boot does, so that one that is added to the starter takes part, and none is
     * loaded that needs what is not on the class path.
     */
    static final class Selector extends AutoConfigurationImportSelector {

        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
            return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata metadata, @Nullable AnnotationAttributes attributes) {
            Stream<String> ofTheStarter = super.getCandidateConfigurations(metadata, attributes).stream()
                    .filter(name -> name.startsWith("dev.ttlstore."));
            Stream<String> ofBoot = OF_BOOT.stream().filter(name -> ClassUtils.isPresent(name, getBeanClassLoader()));
            return Stream.concat(ofTheStarter, ofBoot).toList();
        }
    }
}
