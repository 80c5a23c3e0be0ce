package dev.ttlstore.spring;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
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

    private static final String STARTER = "dev.ttlstore.";

    private StarterRunner() {}

    /** Keeps the store in a folder. */
    public static ApplicationContextRunner at(Path folder) {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withUserConfiguration(Application.class)
                .withPropertyValues("store.path=" + folder.resolve("store.db"));
    }

    /** Keeps the store in a schema of the tests' database, on the DataSource that Boot configures. */
    public static ApplicationContextRunner onPostgreSql(String schema) {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
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
        new SharedMetadata().initialize(context);
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
     * Finds, sorts and filters auto-configurations as Boot does, so that one that is added to the starter takes part, and none is
     * loaded that needs what is not on the class path. Contexts with the whole class path share the result.
     */
    static final class Selector extends AutoConfigurationImportSelector {

        private static final List<String> SORTED = sorted();

        private static volatile List<String> withAllClasses = List.of();

        private static List<String> sorted() {
            ClassLoader loader = StarterRunner.class.getClassLoader();
            Stream<String> ofTheStarter =
                    ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
                            .filter(name -> name.startsWith(STARTER));
            Class<?>[] classes = Stream.concat(ofTheStarter, OF_BOOT.stream())
                    .map(name -> ClassUtils.resolveClassName(name, loader))
                    .toArray(Class[]::new);
            // The first context to ask may have a class loader that hides some of them.
            ClassLoader before = ClassUtils.overrideThreadContextClassLoader(loader);
            try {
                return Stream.of(Configurations.getClasses(AutoConfigurations.of(classes)))
                        .map(Class::getName)
                        .toList();
            } finally {
                Thread.currentThread().setContextClassLoader(before == null ? loader : before);
            }
        }

        @Override
        public String[] selectImports(AnnotationMetadata metadata) {
            if (getBeanClassLoader() instanceof FilteredClassLoader) {
                return super.selectImports(metadata);
            }
            if (withAllClasses.isEmpty()) {
                withAllClasses = List.of(super.selectImports(metadata));
            }
            return withAllClasses.toArray(String[]::new);
        }

        @Override
        public Class<? extends Group> getImportGroup() {
            return Sorted.class;
        }

        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
            return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata metadata, @Nullable AnnotationAttributes attributes) {
            return SORTED.stream()
                    .filter(name -> name.startsWith(STARTER) || ClassUtils.isPresent(name, getBeanClassLoader()))
                    .toList();
        }
    }

    /** What a selector has sorted already; Boot's own group would do it for each context. */
    static final class Sorted implements DeferredImportSelector.Group {

        private final List<Entry> entries = new ArrayList<>();

        @Override
        public void process(AnnotationMetadata metadata, DeferredImportSelector selector) {
            for (String name : selector.selectImports(metadata)) {
                entries.add(new Entry(metadata, name));
            }
        }

        @Override
        public Iterable<Entry> selectImports() {
            return entries;
        }
    }
}
